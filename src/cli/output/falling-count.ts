import type { Progress } from './progress.ts'

/** Shows progress by how much is left. What is added meanwhile is more to do. */
export const fallingCount = (progress: Pick<Progress, 'advance' | 'total'>): ((left: number) => void) => {
  let before = 0
  let done = 0
  return (left) => {
    const fell = Math.max(0, before - left)
    done += fell
    before = left
    progress.total(done + left)
    progress.advance(fell)
  }
}
