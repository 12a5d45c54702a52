import { visible } from './name.tsx'

/** A sentence of the server. It may hold text of anybody; what stands between backticks is a command. */
export const Sentence = ({ text }: { readonly text: string }) => {
  const parts = visible(text).split('`')
  const isPaired = parts.length % 2 === 1
  return (
    <bdi class="name">
      {isPaired ? parts.map((part, i) => (i % 2 === 1 ? <code key={i}>{part}</code> : part)) : visible(text)}
    </bdi>
  )
}
