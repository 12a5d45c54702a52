import { testExample } from './example.ts'

testExample('docs/chain.md')
