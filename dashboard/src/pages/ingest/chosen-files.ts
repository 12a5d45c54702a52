/* Files as people choose them or drop them; dropped folders are read to their bottom. */

export interface ChosenFile {
  /** With the folders that it was dropped in. */
  readonly path: string
  readonly file: File
}

export const ofInput = (files: FileList): readonly ChosenFile[] =>
  [...files].map((file) => ({ path: file.webkitRelativePath || file.name, file }))

/** Entries must be taken from the event at once: they are gone when it is over. */
export const ofDrop = async (dropped: DataTransfer): Promise<readonly ChosenFile[]> => {
  const entries = [...dropped.items].flatMap((item) => item.webkitGetAsEntry() ?? [])
  if (entries.length === 0) return ofInput(dropped.files)
  return (await Promise.all(entries.map(filesIn))).flat()
}

const filesIn = async (entry: FileSystemEntry): Promise<readonly ChosenFile[]> => {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    )
    return [{ path: entry.fullPath.replace(/^\//, ''), file }]
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  const found: ChosenFile[] = []
  // A reader tells some at a time, and none when it is at its end.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    )
    if (some.length === 0) return found
    for (const one of some) found.push(...(await filesIn(one)))
  }
}

export const bytesOf = (files: readonly ChosenFile[]): number =>
  files.reduce((sum, { file }) => sum + file.size, 0)
