/** `ContentRecorded` as `Content recorded`. */
export const inWords = (type: string): string => {
  const words = type.replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Fields of an event that hold sentences for people. */
const sentences = ['because', 'summary', 'message', 'reason', 'error']

/** From which state it went to which, and why, where the event says so. */
export const says = (data: unknown): string | undefined => {
  if (typeof data !== 'object' || data === null) return undefined
  const fields: Readonly<Record<string, unknown>> = { ...data }
  const said = sentences.flatMap((name) => {
    const value = fields[name]
    return typeof value === 'string' && value !== '' ? [value] : []
  })
  const { from, to } = fields
  const moved = typeof from === 'string' && typeof to === 'string' ? [`From ${from} to ${to}.`] : []
  return said.length + moved.length === 0 ? undefined : [...moved, ...said].join(' ')
}

/** Categories of streams, by what begins them. */
const workflows = [
  ['fixity', 'fixity'],
  ['ingest', 'ingest'],
  ['indexing', 'indexing'],
  ['work-', 'matching'],
  ['merged-', 'matching'],
  ['graph', 'matching'],
  ['episode-', 'research'],
  ['clip-', 'research'],
  ['researcher-', 'research'],
] as const

export const workflowOf = (stream: string): string =>
  workflows.find(([begin]) => stream.startsWith(begin))?.[1] ?? 'Fonds'
