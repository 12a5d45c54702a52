import { type Profiler, Session } from 'node:inspector/promises'

/** Which part of the code a place belongs to: the first whose text stands in its address, from the innermost call out. */
export type Parts = readonly (readonly [part: string, address: RegExp])[]

/** Where the time of the processor went while `work` ran, in milliseconds by part; `runtime` is Node's own. */
export const cpuByPart = async (
  parts: Parts,
  work: () => Promise<void>,
): Promise<ReadonlyMap<string, number>> => {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.start')
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  const { profile } = await session.post('Profiler.stop')
  session.disconnect()
  // Samples tell shares: their time also runs while others have the processor.
  const shares = millisOf(profile, parts)
  const sampled = [...shares.values()].reduce((sum, millis) => sum + millis, 0)
  return new Map([...shares].map(([part, millis]) => [part, ((millis / sampled) * (user + system)) / 1000]))
}

const millisOf = ({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile, parts: Parts) => {
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])))
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const known = new Map<number, string>()
  const partOf = (id: number | undefined): string => {
    if (id === undefined) return 'runtime'
    const { url, functionName } = byId.get(id)!.callFrame
    if (functionName === '(idle)') return 'idle'
    if (functionName === '(garbage collector)') return 'garbage collector'
    const found =
      known.get(id) ?? parts.find(([, address]) => address.test(url))?.[0] ?? partOf(parents.get(id))
    known.set(id, found)
    return found
  }
  const millis = new Map<string, number>()
  for (const [i, id] of samples.entries()) {
    const part = partOf(id)
    millis.set(part, (millis.get(part) ?? 0) + (timeDeltas[i] ?? 0) / 1000)
  }
  millis.delete('idle')
  return new Map([...millis].sort(([, one], [, other]) => other - one))
}
