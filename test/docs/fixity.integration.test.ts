import { testExample } from './example.ts'

testExample('docs/fixity.md')
