import type { WorkArea } from '../../domain/ingest/work-area.ts'

declare module '../runtime/question.ts' {
  interface AskedOf {
    readonly ingest: WorkArea
  }
}
