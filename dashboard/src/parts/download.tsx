import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { answered, type Problem, Refused } from '../api/client.ts'
import { Trouble } from './trouble.tsx'

interface DownloadProps {
  readonly address: string
  /** What is asked for, as in `text/csv`. */
  readonly type: string
  /** Of the file. */
  readonly name: string
  readonly children: ComponentChildren
}

/** A button that saves an answer as a file: a link cannot say which form of the answer it wants. */
export const Download = ({ address, type, name, children }: DownloadProps) => {
  const [problem, setProblem] = useState<Problem>()
  const save = async () => {
    try {
      const response = await answered(address, { headers: { accept: type } })
      const url = URL.createObjectURL(await response.blob())
      const link = Object.assign(document.createElement('a'), { href: url, download: name })
      link.click()
      URL.revokeObjectURL(url)
      setProblem(undefined)
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      setProblem(error.problem)
    }
  }
  return (
    <>
      <button type="button" onClick={save}>
        {children}
      </button>
      {problem && <Trouble problem={problem} />}
    </>
  )
}
