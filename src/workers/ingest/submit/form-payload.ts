import { digestAlgorithm } from '@fonds/digests'
import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { isOfFolder } from '../../../domain/ingest/payload.ts'
import type { SubmittedPayload } from '../../../domain/ingest/submission.ts'
import {
  announcedDigest,
  type FieldObjection,
  type FilledIn,
  payloadAtUrl,
} from '../../../domain/ingest/submission-form.ts'
import { whyNoBag } from '../payload/bag-folder.ts'
import { typeOfFiles } from '../payload/type-of-folder.ts'
import { containerKind } from '../unpack/container.ts'
import type { Drop } from './drop.ts'

/** Returns the payload of a form: its files, or the URL in place of them. */
export const payloadOf = async (
  filled: FilledIn,
  drop: Drop,
): Promise<Either<FieldObjection, SubmittedPayload>> => {
  const [file, ...more] = drop.files
  if (!file) return payloadAtUrl(filled)
  const { url, filename, type } = filled
  if (url !== undefined) return wrong('url', 'is given beside a file; send one of them')
  if (filename !== undefined) return wrong('filename', 'is for a url; a file has its own name')
  const isPackedBag = type === 'bag' && more.length === 0 && containerKind(file.path) !== undefined
  const isFolder = isOfFolder(type) || (type === 'bag' && !isPackedBag)
  if (isFolder || (type === undefined && more.length > 0)) return folderOf(filled, drop)
  return more.length > 0
    ? wrong(
        'type',
        `is ${type}, which is one file, and ${more.length + 1} came; send one, or say folder, each-file or each-folder`,
      )
    : fileOf(filled, drop)
}

const wrong = (field: string, sentence: string): Either<FieldObjection, never> =>
  left({ field, message: `${field}: ${sentence}` })

const folderOf = (
  { type, digestType, digestValue, size }: FilledIn,
  { files, addressOf }: Drop,
): Either<FieldObjection, SubmittedPayload> => {
  if (digestType !== undefined || digestValue !== undefined)
    return wrong('digestValue', 'is that of one file, and this is a folder; leave it out')
  if (size !== undefined) return wrong('size', 'is that of one file, and this is a folder; leave it out')
  const paths = files.map(({ path }) => path)
  const why = type === 'bag' ? whyNoBag(paths) : undefined
  if (why !== undefined) return wrong('type', `is bag, and ${why}`)
  const found = type ?? typeOfFiles(paths)
  return right({ url: addressOf(''), type: found })
}

/** Checks the file against the depositor's announcement. */
const fileOf = async (filled: FilledIn, drop: Drop): Promise<Either<FieldObjection, SubmittedPayload>> => {
  const file = drop.files[0]!
  const announced = announcedDigest(filled)
  if (isLeft(announced)) return announced
  if (filled.size !== undefined && filled.size !== file.size)
    return wrong('size', `is ${filled.size}, and ${file.size} bytes came; send the file again`)
  const algorithm = announced.right && digestAlgorithm(announced.right.algorithm)
  if (announced.right && algorithm !== undefined) {
    const found = await drop.digest(file, algorithm)
    if (found === undefined)
      return wrong('digestType', 'is another one than the SHA-256 that the upload announced; leave it out')
    if (found !== announced.right.value.toLowerCase())
      return wrong(
        'digestValue',
        `is ${announced.right.value}, and what came has ${found}; send the file again`,
      )
  }
  return right({
    url: drop.addressOf(file.path),
    name: file.path,
    size: file.size,
    digest: announced.right ?? { algorithm: 'sha256', value: file.sha256 },
    ...(filled.type !== undefined && { type: filled.type }),
  })
}
