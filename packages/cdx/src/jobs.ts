export {
  type IndexJob,
  type IndexThreads,
  inThisThread,
  type JobResult,
  runJob,
} from './sorted-index/jobs.ts'
export { openRunWriter } from './sorted-index/write-lines.ts'
