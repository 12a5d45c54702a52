import { join } from 'node:path'
import { nodeFlags } from '../node-flags.ts'
import { expectSame } from '../table.ts'
import { run } from './commands.ts'
import { besideBase } from './measured.ts'

/** What bench/matching-bulk.ts prints, here as in the base. It ends with 0 only if all works came to where a union-find has them. */
const printed =
  /(?<did>\S+ messages of \S+ works).*seconds of processor: deciding and merging (?<deciding>\S+), matching and folding (?<folding>\S+)/s

/** A catalogue from the topic to views and documents, by two processes: seconds of processor of both. */
export const matching = (works: number) =>
  besideBase(async ({ root }) => {
    const bench = [process.execPath, ...nodeFlags, join(root, 'bench/matching-bulk.ts'), `${works}`]
    const { output } = await run(bench)
    const { did, deciding, folding } = printed.exec(output)?.groups ?? {}
    expectSame('bench/matching-bulk.ts has printed its costs', did !== undefined, true)
    return { cost: Number(deciding) + Number(folding), did: did! }
  })
