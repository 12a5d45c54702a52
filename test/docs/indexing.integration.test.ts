import { testExample } from './example.ts'

testExample('docs/indexing.md')
