import { research } from '#src/projections/research/projection.ts'
import { type Folded as FoldedLog, folding } from '../folding.ts'
import { type ResearchLog, researchLog } from './log.ts'

const { foldAll, open, folded: foldedLog } = folding(research)

export { foldAll, open as openResearch }
export type Folded = FoldedLog<ResearchLog>

/** A log of research and its views, which always are up to date. */
export const folded = (): Folded => foldedLog(researchLog())
