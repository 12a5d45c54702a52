import type { ComponentChildren } from 'preact'
import type { Shown } from '../api/use-answer.ts'
import { OfNowNote } from './of-now.tsx'
import { Trouble } from './trouble.tsx'
import { Waiting } from './waiting.tsx'

interface AnswerProps<Data> {
  readonly of: Shown<Data>
  readonly children: (data: Data, at: Date) => ComponentChildren
}

/** Draws what was answered, with a sentence where it is old, missing or refused. */
export const Answer = <Data,>({ of: { answered, problem, ofNow }, children }: AnswerProps<Data>) => (
  <>
    <OfNowNote is={ofNow} />
    {problem && <Trouble problem={problem} />}
    {answered ? children(answered.data, answered.at) : !problem && <Waiting />}
  </>
)
