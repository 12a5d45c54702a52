import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { nodeFlags } from './node-flags.ts'

/*
 * Every benchmark but speed, one after the other, each in a process of its own. `npm run bench [name [number …] …]`: these alone;
 * numbers are the arguments of the one before them.
 */

const all = [
  'starts',
  'event-store',
  'broker',
  'views',
  'as-of',
  'log-index',
  'pipeline',
  'command-latency',
  'hash',
  's3-objects',
  'worker',
  'fixity-files',
  'fixity-bucket',
  'million',
  'kafka',
  'kafka-pipeline',
  'eventstoredb',
  'gateway',
  'gateway-in-node',
  'migrate',
  'sealing',
  'rebuild-compared',
  'seal-views',
  'graph',
  'change-bytes',
  'matching',
  'matching-bulk',
  'matching-growth',
  'matching-past',
  'research',
  'research-views',
  'research-intake',
  'research-questions',
  'selection',
  'page-listeners',
  'page-open',
  'search',
  'listening',
  'corpus',
  'drift',
  'ingest',
  'ingest-bucket',
  'ingest-files',
  'ingest-large',
  'ingest-queue',
  'ingest-rebuild',
  'warc',
  'warc-threads',
  'capture-index',
  'waiting-changes',
  'cdx-server',
  'million-files',
  'surt',
]
// As bin/fonds does.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '../node_modules/.cache/fonds')
const wanted: { readonly name: string; readonly args: string[] }[] = []
for (const word of process.argv.slice(2))
  if (Number.isNaN(Number(word))) wanted.push({ name: word, args: [] })
  else wanted.at(-1)?.args.push(word)
for (const { name, args } of wanted.length > 0 ? wanted : all.map((name) => ({ name, args: [] }))) {
  console.log(`\n${name}`)
  const bench = join(import.meta.dirname, `${name}.ts`)
  const { status } = spawnSync(process.execPath, [...nodeFlags, bench, ...args], { stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
}
