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

const inStatement =
  (change: (statement: ViewFile['statement']) => void) =>
  (text: string): string =>
    text.replace(/(report-proof\/v1 )(\S+)/, (_, start: string, proof: string) => {
      const statement = JSON.parse(Buffer.from(proof, 'base64').toString()) as ViewFile['statement']
      change(statement)
      return start + Buffer.from(JSON.stringify(statement)).toString('base64')
    })

/** Not of their form: nothing may be said to hold. */
export const unreadableViews: readonly Omit<Attack, 'found'>[] = [
  { name: 'another form', change: (text) => text.replace('view-proof/v1', 'view-proof/v2') },
  { name: 'an index that is none', change: (text) => text.replace(/"index": ?1/, '"index":true') },
]

/** Of a fixity report on 3 items. */
export const reportAttacks: readonly Attack[] = [
  {
    name: "a report's number changed",
    change: (text) => text.replace('3 items', '4 items'),
    found: /the report was changed: the root of its \d+ lines is/,
  },
  {
    name: 'a line added',
    change: (text) => text.replace('</header>', '<p>All is well.</p>\n</header>'),
    found: /the report was changed/,
  },
  {
    name: 'another question',
    change: (text) => text.replace('fixity report', 'fixity repord'),
    found: /was changed/,
  },
  {
    name: 'another root shown',
    change: (text) => text.replace(/Sealed: <code>./, 'Sealed: <code>_').replace('<code>_', '<code>A'),
    found: /was changed/,
  },
  {
    name: 'a number changed, with the root of its lines',
    change: inStatement((statement) => {
      statement.data = statement.data.replace(/"root":"[^"]+","at"/, `"root":"${'A'.repeat(43)}=","at"`)
    }),
    found: /the statement was changed/,
  },
]

/** Not of their form: nothing may be said to hold. */
export const unreadableReports: readonly Omit<Attack, 'found'>[] = [
  {
    name: 'a proof with bytes that are no text',
    change: (text) =>
      text.replace(/(report-proof\/v1 )(\S+)/, `$1${Buffer.from([0x7b, 0xff, 0x7d]).toString('base64')}`),
  },
  { name: 'something behind the proof', change: (text) => `${text}<p>All is well.</p>\n` },
  {
    name: 'another sentence beside the root',
    change: (text) => text.replace('the lines above', 'all lines'),
  },
]
