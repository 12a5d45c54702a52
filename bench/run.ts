import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

/* Every benchmark, one after the other, each in a process of its own. `npm run bench [name …]` */

const all = [
  'event-store',
  'broker',
  'views',
  'log-index',
  'pipeline',
  'hash',
  'worker',
  'fixity-files',
  'million',
  'kafka',
  'kafka-pipeline',
  'eventstoredb',
  'gateway',
  'graph',
  'change-bytes',
  'matching',
  'matching-bulk',
  'matching-growth',
  'research',
  'research-views',
  'research-intake',
  'research-questions',
  'selection',
  'listening',
  'corpus',
  'drift',
  'ingest',
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
const wanted = process.argv.slice(2)
for (const name of wanted.length > 0 ? wanted : all) {
  console.log(`\n${name}`)
  const { status } = spawnSync(
    process.execPath,
    [
      '--max-semi-space-size=32',
      '--disable-warning=ExperimentalWarning',
      '--disable-warning=TimeoutNegativeWarning',
      join(import.meta.dirname, `${name}.ts`),
    ],
    { stdio: 'inherit' },
  )
  if (status !== 0) process.exitCode = 1
}
