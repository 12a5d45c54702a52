import { writeSync } from 'node:fs'
import { openViewCopies } from '../../../../infra/views/sqlite/copies.ts'

/* Makes a copy of views; says when it begins. */
const [folder, file, month] = process.argv.slice(2)
writeSync(1, 'begins\n')
await openViewCopies(folder!, file!).make(month!, new AbortController().signal)
