/**
 * Tests that open whole systems, or stores of many files, again and again: half of the time that all took. Like unit tests
 * they need no server and share processes; the integration suite runs them (project `systems`), and `npx vitest run <file>`.
 */
export const wholeSystems = [
  'test/cli/**/*.test.ts',
  'test/workflows/**/*.test.ts',
  'test/e2e/**/*.test.ts',
  'test/api/routes/{changes,events,ingest-direct-uploads,ingest-uploads-in-bucket,matching,messages,views}.test.ts',
  'test/api/sign-in/provider.test.ts',
  'test/api/questions.test.ts',
  'test/app/{migrate,migrated-*}.test.ts',
  'test/app/{doctor/proof,proof/run-sealer}.test.ts',
  'test/infra/event-store/eventstoredb/too-slow.test.ts',
  'test/infra/gateway/record.test.ts',
  'test/infra/object-store/{contract,left-behind,object-store}.test.ts',
  'test/workers/fixity/{check-batch,hash-pool}.test.ts',
  'test/workers/http/{any-answer,foreign-hosts,no-room}.test.ts',
  'test/workers/indexing/{remote-files,streams}.test.ts',
  'test/workers/indexing/serving/serve-elsewhere.test.ts',
  'test/workers/ingest/staged-files.test.ts',
  'test/workers/research/media/recordings{,-bucket}.test.ts',
  'test/workers/research/search/create-searcher.test.ts',
  'test/processors/fixity/resolve-finding.test.ts',
  'packages/bag/test/bagit/conformance.test.ts',
  'packages/ocfl/test/bucket/kills.test.ts',
  'packages/warc/test/public-calls.test.ts',
]
