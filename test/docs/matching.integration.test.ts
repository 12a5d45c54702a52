import { testExample } from './example.ts'

testExample('docs/matching.md')
