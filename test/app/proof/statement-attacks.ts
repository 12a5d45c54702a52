/* Ways to change a file in which an archive states something, and what every verifier says of it. */

interface Attack {
  readonly name: string
  readonly change: (text: string) => string
  readonly found: RegExp
}

interface ViewFile {
  statement: { data: string; proof: string }
  row: { index: number; entry: string; proof: string[] }
}

const inView =
  (change: (file: ViewFile) => void) =>
  (text: string): string => {
    const file = JSON.parse(text) as ViewFile
    change(file)
    return JSON.stringify(file)
  }

/** Of the proof of a row with `"size":2`, one of three. */
export const viewAttacks: readonly Attack[] = [
  {
    name: "a view's row changed",
    change: inView(({ row }) => {
      row.entry = row.entry.replace('"size":2', '"size":3')
    }),
    found: /the row is not row 1 of the 3/,
  },
  {
    name: 'a row of another view',
    change: inView(({ row }) => {
      row.entry = row.entry.replace('fixity-items', 'fixity-itemz')
    }),
    found: /the row is not row 1 of the 3/,
  },
  {
    name: 'a row at another index',
    change: inView(({ row }) => {
      row.index = 0
    }),
    found: /the row is not row 0 of the 3/,
  },
  {
    name: 'fewer rows stated',
    change: inView(({ statement }) => {
      statement.data = statement.data.replace('"rows":3', '"rows":2')
    }),
    found: /the statement was changed/,
  },
  {
    name: 'a root of other rows stated',
    change: inView(({ statement }) => {
      statement.data = statement.data.replace(/"root":"./, '"root":"_')
    }),
    found: /the statement was changed/,
  },
  {
    name: "the statement's entry changed",
    change: inView(({ statement }) => {
      statement.proof = statement.proof.replace(/^index \d+$/m, 'index 0')
    }),
    found: /the entry of the statement is not leaf 0/,
  },
  {
    name: 'a checkpoint of more leaves',
    change: inView(({ statement }) => {
      statement.proof = statement.proof.replace(/\n(\d+)\n(?=[A-Za-z0-9+/]{43}=\n\n)/, '\n1$1\n')
    }),
    found: /is not by its key/,
  },
]
