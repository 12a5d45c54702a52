import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../../..')

export const versitygwVersion = '1.8.0'
export const motoVersion = '5.2.5'

const firstOf = (paths: readonly (string | undefined)[]): string | undefined =>
  paths.find((path) => path !== undefined && existsSync(path))

const lib = join(import.meta.dirname, 'lib', versitygwVersion)

/** The program, where it is there: named in the environment, installed by `.ci/judges`, or built before. */
export const versitygw = (env = process.env): string | undefined =>
  firstOf([env.FONDS_VERSITYGW, join(root, '.judges/bin/versitygw'), join(lib, 'versitygw')])

export const motoServer = (env = process.env): string | undefined =>
  firstOf([env.FONDS_MOTO_SERVER, join(root, '.judges/moto/bin/moto_server')])

/** The same; builds it the first time, which takes minutes. Throws a sentence that says what to install. */
export const versitygwBuilt = async (log: (line: string) => void): Promise<string> => {
  const there = versitygw()
  if (there !== undefined) return there
  await run('go', ['version']).catch(() => {
    throw new Error(
      'a local S3 server needs Go 1.21 or newer (on Debian: apt-get install golang-go): `go` does not run',
    )
  })
  log(`building versitygw ${versitygwVersion} with Go, once: this takes some minutes`)
  // Renamed when complete, so that an interrupted build is not taken for a complete one.
  const part = `${lib}.${process.pid}.part`
  mkdirSync(part, { recursive: true })
  try {
    const program = `github.com/versity/versitygw/cmd/versitygw@v${versitygwVersion}`
    // A Go that is too old fetches the one that the program wants.
    await run('go', ['install', program], { env: { ...process.env, GOBIN: part, GOTOOLCHAIN: 'auto' } })
    if (!existsSync(lib)) renameSync(part, lib)
    return join(lib, 'versitygw')
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    throw new Error(`Go could not build versitygw ${versitygwVersion}:\n${(stdout + stderr).slice(-2000)}`)
  } finally {
    rmSync(part, { recursive: true, force: true })
  }
}
