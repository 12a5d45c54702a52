import { chmodSync, chownSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { FormData, fetch } from 'undici'
import { v4 as uuid } from 'uuid'
import { expect, onTestFinished } from 'vitest'
import { type Started, useFolder } from '../../e2e/run-fonds.ts'
import { s3Calls } from '../../fakes/s3-calls.ts'
import { placeOf } from '../s3/server-address.ts'
import { server } from '../servers.ts'

/* Nodes with homes that the others cannot read, as the shipped manifests set them up. */

/** Users of the nodes. */
export const users = [65_531, 65_532] as const
/** Both write to what they share as this group; what is below the folder of one may not be entered by the other. */
export const gid = 65_533
export const ownFolder = (uid: number): string => {
  const { folder } = useFolder()
  chmodSync(folder, 0o711)
  const own = join(folder, 'own')
  mkdirSync(join(own, 'home'), { recursive: true })
  for (const one of [own, join(own, 'home')]) chownSync(one, uid, gid)
  chmodSync(own, 0o700)
  return own
}

export const sharedFolder = (): string => {
  const { folder } = useFolder()
  chmodSync(folder, 0o711)
  const shared = join(folder, 'shared')
  mkdirSync(shared)
  chownSync(shared, 0, gid)
  chmodSync(shared, 0o2770)
  return shared
}

/** A bucket of a real server; undefined where there is none. */
export const useBucket = async () => {
  const s3 = server('s3')
  if ('absent' in s3) return undefined
  const { endpoint, keys } = placeOf(s3.address)
  const calls = s3Calls(endpoint, keys)
  onTestFinished(() => calls.close())
  const name = `b-${uuid()}`
  expect(await calls.call('PUT', `/${name}`)).toMatchObject({ status: 200 })
  const env = {
    FONDS_S3_ENDPOINT: endpoint,
    AWS_ACCESS_KEY_ID: keys.accessKeyId,
    AWS_SECRET_ACCESS_KEY: keys.secretAccessKey,
  }
  return { env, address: `s3://${name}/storage` }
}

/** Uploads files as one submission; returns its batch. */
export const uploadFiles = async (
  address: string,
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<string> => {
  const form = new FormData()
  form.set('profile', 'default')
  form.set('submitter', 'ada')
  for (const [name, bytes] of Object.entries(files)) form.append('file', new Blob([bytes]), name)
  const answer = await fetch(`${address}/api/v1/ingest/submissions`, { method: 'POST', body: form })
  if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`)
  return ((await answer.json()) as { readonly batch: string }).batch
}

/** Address of a node, once it is at work. */
export const addressOf = async (node: Started): Promise<string> => {
  const [, address] = await node.says(/Fonds is at (http\S+)/)
  await node.says(/Ctrl-C stops/)
  return address!.replace(/\/$/, '')
}
