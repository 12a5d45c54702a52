import { testExample } from './example.ts'

testExample('docs/ingest.md')
