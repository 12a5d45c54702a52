export { type BagDeclaration, noDeclaration, parseDeclaration } from './bagit/declaration.ts'
export { infoFile, oxumProblem, parseBagInfo } from './bagit/info.ts'
export {
  declarationFile,
  decodeBagPath,
  type FetchLine,
  fetchFile,
  isPayloadPath,
  isUnsafePath,
  parseFetchLine,
  parseManifestName,
  payloadFolder,
} from './bagit/lines.ts'
export {
  createManifestRules,
  isPayloadManifest,
  manifestAlgorithm,
  parseManifestLine,
} from './bagit/manifest.ts'
export {
  announcedDigest,
  type CheckmColumn,
  type CheckmFile,
  type CheckmRow,
  type CheckmText,
  checkmFileOf,
  InvalidCheckm,
  readCheckm,
} from './checkm/checkm.ts'
export {
  fileNameIn,
  localIdsIn,
  type MerrittKind,
  type MerrittManifest,
  type MerrittRow,
  merrittKindOf,
  readMerrittManifest,
  writeMerrittManifest,
} from './checkm/merritt.ts'
export {
  type ChecksumFile,
  checksumFile,
  isNoText,
  type ManifestLine,
  parseChecksumLine,
} from './checksums/checksum-file.ts'
export { hashdeepLines, isHashdeep, isHashdeepText } from './checksums/hashdeep.ts'
export { type InvalidLine, isInvalid } from './invalid-line.ts'
export { bagNames, checksumName, isOfWindowsRoot, type NameReadings } from './names.ts'
