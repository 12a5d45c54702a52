import { useId, useState } from 'preact/hooks'
import { Name } from '../../parts/name.tsx'
import { bytes, plural } from '../../parts/words.ts'
import { bytesOf, type ChosenFile, ofDrop, ofInput } from './chosen-files.ts'

interface DropZoneProps {
  readonly files: readonly ChosenFile[]
  readonly onFiles: (files: readonly ChosenFile[]) => void
  readonly isLocked: boolean
}

const maxListed = 20

/** Where files are dropped; by keyboard they are chosen. */
export const DropZone = ({ files, onFiles, isLocked }: DropZoneProps) => {
  const [isOver, setOver] = useState(false)
  const field = useId()
  const add = (some: readonly ChosenFile[]) => {
    const paths = new Set(some.map(({ path }) => path))
    onFiles([...files.filter(({ path }) => !paths.has(path)), ...some])
  }
  const drop = async (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    if (event.dataTransfer && !isLocked) add(await ofDrop(event.dataTransfer))
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: whoever cannot drop chooses by the field within
    <div
      class={isOver ? 'drop over' : 'drop'}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <label for={field}>Drop files or folders here, or choose files</label>
      <input
        id={field}
        type="file"
        multiple
        disabled={isLocked}
        onChange={({ currentTarget }) => {
          if (currentTarget.files) add(ofInput(currentTarget.files))
          currentTarget.value = ''
        }}
      />
      {files.length > 0 && (
        <>
          <p>
            {plural(files.length, 'file')}, {bytes(bytesOf(files))}{' '}
            <button type="button" disabled={isLocked} onClick={() => onFiles([])}>
              Take all away
            </button>
          </p>
          <ul>
            {files.slice(0, maxListed).map(({ path, file }) => (
              <li key={path}>
                <Name text={path} />, {bytes(file.size)}
              </li>
            ))}
            {files.length > maxListed && <li>and {plural(files.length - maxListed, 'more', 'more')}</li>}
          </ul>
        </>
      )}
    </div>
  )
}
