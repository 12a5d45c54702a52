export { type Declaration, noDeclaration, readDeclaration } from './bagit/declaration.ts'
export { infoFile, readInfo, whyOtherOxum } from './bagit/info.ts'
export {
  declarationFile,
  decodeBagPath,
  fetchFile,
  isPayload,
  isUnsafe,
  manifestName,
  parseFetchLine,
  payloadFolder,
  type ToFetch,
} from './bagit/lines.ts'
export { bagLineRules, bagManifest, isPayloadManifest, parseBagLine } from './bagit/manifest.ts'
export {
  type CheckmRow,
  type CheckmText,
  type Column,
  digestOf,
  type FileColumns,
  fileColumnsOf,
  InvalidManifest,
  readCheckm,
} from './checkm/checkm.ts'
export {
  kindOfManifest,
  localIdsIn,
  type Manifest,
  type ManifestKind,
  type ManifestRow,
  nameIn,
  readManifest,
  writeManifest,
} from './checkm/merritt.ts'
export {
  type ChecksumFile,
  checksumFile,
  type ManifestLine,
  parseChecksumLine,
} from './checksums/checksum-file.ts'
export {
  type Algorithm,
  algorithmName,
  algorithms,
  type Digest,
  digestBytes,
  isAlgorithm,
  isDigest,
  normaliseDigest,
  type RawDigest,
} from './checksums/digest.ts'
export { hashdeepLines, isHashdeep } from './checksums/hashdeep.ts'
export { type DigestAlgorithm, digestAlgorithm, digestDigits } from './digests/digest-names.ts'
export { type InvalidLine, isInvalid } from './invalid-line.ts'
