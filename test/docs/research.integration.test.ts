import { testExample } from './example.ts'

testExample('docs/research.md')
