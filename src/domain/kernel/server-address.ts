/* Addresses of servers may hold a name and a password, which are never shown. */

const host = String.raw`[^\s@/?#:,]+(?::\d{1,5})?`
const option = String.raw`[^=&?\s]+=[^&?\s]+`
/** KurrentDB is EventStoreDB's later name; its addresses are otherwise the same. */
const scheme = '(?:esdb|kurrentdb)'
const eventStoreDb = new RegExp(
  String.raw`^${scheme}(?:\+discover)?://(?:[^\s@/?#:]+:[^\s@/?#:]+@)?${host}(?:,${host})*/?(?:\?${option}(?:&${option})*)?$`,
)

/**
 * Returns true if EventStoreDB's client reads the address as it is meant. The client accepts more: of `u:p@ss@host` it
 * makes the password `p` and the host `ss@host`, which then appears in its errors.
 */
export const isEventStoreDbAddress = (text: string): boolean => eventStoreDb.test(text)

/** Returns the address as the client takes it: it knows the older name alone. */
export const asEsdb = (address: string): string =>
  address.trim().replace(/^kurrentdb(?=(?:\+discover)?:)/, 'esdb')

export const eventStoreDbForm =
  'esdb://<host>:<port>?tls=false or esdb+discover://<user>:<password>@<host>:<port>?tlsCAFile=<file>; ' +
  'in a name or a password, @ : / ? # are written %40 %3A %2F %3F %23'

/** Removes name and password from a valid address, up to the last @: a password may hold one by mistake. */
export const withoutLogin = (address: string): string =>
  address.replace(/^((?:esdb|kurrentdb)(?:\+discover)?:\/\/)[^@/?]*@(?:.*@)?/, '$1…@')

/** Hides an invalid address but for its scheme: nobody knows where in it a password stands. */
export const hiddenAddress = (address: string): string =>
  `${/^((?:esdb|kurrentdb)(\+discover)?|kafka|https?|sqlite|tcp):(\/\/)?/.exec(address)?.[0] ?? ''}… (not shown: it may hold a password)`
