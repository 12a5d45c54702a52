import type { RefObject } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { answered, type Problem, Refused } from '../../api/client.ts'
import { Trouble } from '../../parts/trouble.tsx'

interface PlayerProps {
  /** What is heard. */
  readonly says: string
  readonly address: string
  readonly audio?: RefObject<HTMLAudioElement | null>
}

/** Sound with the browser's own controls; where it cannot be had, why. */
export const Player = ({ says, address, audio }: PlayerProps) => {
  const [problem, setProblem] = useState<Problem>()
  // A player says only that it failed, and that not before it is started.
  const ask = async (signal?: AbortSignal) => {
    try {
      await answered(address, { headers: { range: 'bytes=0-0' }, ...(signal && { signal }) })
      setProblem(undefined)
    } catch (error) {
      if (signal?.aborted) return
      if (!(error instanceof Refused)) throw error
      setProblem(error.problem)
    }
  }
  useEffect(() => {
    const leaving = new AbortController()
    void ask(leaving.signal)
    return () => leaving.abort()
  }, [address])
  return (
    <>
      <audio
        controls
        preload="none"
        aria-label={says}
        src={address}
        {...(audio && { ref: audio })}
        onError={() => void ask()}
        onPlaying={() => setProblem(undefined)}
      />
      {problem && <Trouble problem={problem} />}
    </>
  )
}
