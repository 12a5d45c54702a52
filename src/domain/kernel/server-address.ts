/* Addresses of servers may hold a name and a password: what is said of them holds neither. */

const host = String.raw`[^\s@/?#:,]+(?::\d{1,5})?`
const option = String.raw`[^=&?\s]+=[^&?\s]+`
/** KurrentDB is EventStoreDB's later name; its addresses are the same but for that. */
const scheme = '(?:esdb|kurrentdb)'
const eventStoreDb = new RegExp(
  String.raw`^${scheme}(?:\+discover)?://(?:[^\s@/?#:]+:[^\s@/?#:]+@)?${host}(?:,${host})*/?(?:\?${option}(?:&${option})*)?$`,
)

/**
 * Is this an address that EventStoreDB's client reads as it is meant? It takes more: of `u:p@ss@host` it makes the
 * password `p` and the host `ss@host`, which then stands in its errors.
 */
export const isEventStoreDbAddress = (text: string): boolean => eventStoreDb.test(text)

/** As the client takes it, which knows the older name alone. */
export const asEsdb = (address: string): string =>
  address.trim().replace(/^kurrentdb(?=(?:\+discover)?:)/, 'esdb')

export const eventStoreDbForm =
  'esdb://<host>:<port>?tls=false or esdb+discover://<user>:<password>@<host>:<port>?tlsCAFile=<file>; ' +
  'in a name or a password, @ : / ? # are written %40 %3A %2F %3F %23'

/** Of an address that can be used: without name and password, up to the last @, as a password may hold one by mistake. */
export const withoutLogin = (address: string): string =>
  address.replace(/^((?:esdb|kurrentdb)(?:\+discover)?:\/\/)[^@/?]*@(?:.*@)?/, '$1…@')

/** Of one that cannot: nobody knows where in it a password stands. */
export const hiddenAddress = (address: string): string =>
  `${/^((?:esdb|kurrentdb)(\+discover)?|kafka|https?|sqlite|tcp):(\/\/)?/.exec(address)?.[0] ?? ''}… (not shown: it may hold a password)`
