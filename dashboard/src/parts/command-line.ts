/** What a shell takes as it is. */
const plain = /^[\w@%+=:,./-]+$/

export const quoted = (text: string): string =>
  plain.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`

/** The same on the command line. */
export const commandLine = (name: string, fields: Readonly<Record<string, unknown>>): string =>
  [
    'fonds do',
    name,
    ...Object.entries(fields)
      .filter(([, value]) => value !== '' && value !== undefined)
      .map(([field, value]) => quoted(`${field}=${value}`)),
    '--actor <you> --reason <why>',
  ].join(' ')
