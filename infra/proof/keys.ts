import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isSystemError } from '@fonds/toolbox'
import { makeFolder } from '@fonds/toolbox/disk'
import { UnavailableError } from '../../src/async/unavailable.ts'
import { writeOnce } from '../../src/async/write-once.ts'
import type { ProofKeys } from '../../src/ports/proof-log.ts'

/* The keys of the archive's tree: files of one folder, for their user alone. */

const mode = 0o600
export const fileOf = { ed25519: 'ed25519.pem', mlDsa44: 'ml-dsa-44.pem' } as const

/** Undefined if there is no Ed25519 key. Rejects with `UnavailableError` for a file that is no key. */
export const loadKeys = async (folder: string): Promise<ProofKeys | undefined> => {
  const ed25519 = await load(join(folder, fileOf.ed25519), 'ed25519')
  if (!ed25519) return undefined
  return { ed25519, mlDsa44: hasMlDsa() ? await load(join(folder, fileOf.mlDsa44), 'ml-dsa-44') : undefined }
}

/** Makes what is missing of them. A key that is there stays. */
export const makeKeys = async (folder: string): Promise<ProofKeys> => {
  await makeFolder(folder, 0o700)
  // The key that decides whether there are any comes last.
  if (hasMlDsa())
    await makeOnce(join(folder, fileOf.mlDsa44), () => generateKeyPairSync('ml-dsa-44').privateKey)
  await makeOnce(join(folder, fileOf.ed25519), () => generateKeyPairSync('ed25519').privateKey)
  return (await loadKeys(folder))!
}

let supportsMlDsa: boolean | undefined

/** False for a Node that is linked to an OpenSSL before 3.5. */
export const hasMlDsa = (): boolean => {
  if (supportsMlDsa === undefined)
    try {
      generateKeyPairSync('ml-dsa-44')
      supportsMlDsa = true
    } catch {
      supportsMlDsa = false
    }
  return supportsMlDsa
}

const makeOnce = async (file: string, make: () => KeyObject): Promise<void> => {
  if (await textOf(file)) return
  await writeOnce(file, String(make().export({ type: 'pkcs8', format: 'pem' })), mode)
}

const load = async (file: string, type: string): Promise<KeyObject | undefined> => {
  const text = await textOf(file)
  if (text === undefined) return undefined
  try {
    const key = createPrivateKey(text)
    if (key.asymmetricKeyType === type) return key
  } catch {
    // Its message may hold a part of the file.
  }
  throw new UnavailableError(`${file} holds no private key of type ${type}: put back the one that was there`)
}

const textOf = async (file: string): Promise<string | undefined> => {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return undefined
    throw error
  }
}
