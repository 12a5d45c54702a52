import { join } from 'node:path'
import type { Config } from './app/config/settings.ts'
import type { System } from './app/system.ts'
import { InvalidSetting } from './async/errors.ts'
import type { Clock } from './ports/clock.ts'
import type { GetProofFile } from './ports/proof-files.ts'
import type { TimeStamper } from './ports/time-stamp.ts'
import type { OpenedWitness } from './ports/witness.ts'

type ProofParts = Pick<
  System,
  | 'proofLog'
  | 'proofPolicy'
  | 'proofFilesAt'
  | 'postCheckpoint'
  | 'timeStamper'
  | 'openMirror'
  | 'verifierPrograms'
  | 'witness'
>

/** All that proves the log, each loaded when it is asked for: most processes prove nothing. */
export const openProof = (
  config: Config,
  clock: Clock,
): { readonly parts: ProofParts; readonly close: () => Promise<void> } => {
  let witness: Promise<OpenedWitness> | undefined
  return {
    parts: {
      proofLog: async () =>
        (await import('../infra/proof/proof-log.ts')).openProofLog(proofFoldersOf(config)),
      proofPolicy: () => proofPolicyOf(config),
      proofFilesAt,
      postCheckpoint: async (...request) =>
        (await import('../infra/proof/post-checkpoint.ts')).postCheckpoint(...request),
      timeStamper: timeStamperOf(config),
      openMirror: async (address, folder) => {
        const { openProofLog } = await import('../infra/proof/proof-log.ts')
        // Neither keys nor newest leaves of streams are there: nothing is sealed in it.
        const files = openProofLog({ folder, keyFolder: folder, headsFile: join(folder, 'heads.db') })
        return { files, get: proofFilesAt(address) }
      },
      verifierPrograms: async () => (await import('../infra/proof/verifier/program.ts')).verifierPrograms(),
      witness: () => {
        witness ??= openWitnessOf(config, clock)
        return witness
      },
    },
    close: async () => {
      const opened = await witness?.catch(() => undefined)
      await opened?.close()
    },
  }
}

/** Its code is loaded with the first file. */
const proofFilesAt = (address: string): GetProofFile => {
  let loaded: Promise<GetProofFile> | undefined
  return async (path, signal) => {
    loaded ??= import('../infra/proof/proof-files.ts').then(({ proofFilesAt }) => proofFilesAt(address))
    return (await loaded)(path, signal)
  }
}

/** Heads of streams are not in the folder that others are served. */
const proofFoldersOf = ({ home, proofFolder, proofKeyFolder }: Config) => ({
  folder: proofFolder,
  keyFolder: proofKeyFolder,
  headsFile: join(home, 'proof-heads.db'),
})

const proofPolicyOf = async ({ proofPolicy: file }: Config) =>
  file === undefined ? undefined : (await import('../infra/proof/policy-file.ts')).readPolicyFile(file)

/** Its code is loaded with the first stamp. */
const timeStamperOf = ({ proofStamps: url, proofStampRoots: rootsFile }: Config): TimeStamper | undefined => {
  if (url === undefined) return undefined
  let loaded: Promise<TimeStamper> | undefined
  const load = async (): Promise<TimeStamper> => {
    const { createTimeStamper, rootsIn } = await import('../infra/proof/time-stamper.ts')
    return createTimeStamper({ url, roots: await rootsIn(rootsFile) })
  }
  return {
    stamp: async (...asked) => {
      loaded ??= load()
      return (await loaded).stamp(...asked)
    },
  }
}

const openWitnessOf = async ({ home, witnessLogs: logsFile, witnessName: name }: Config, clock: Clock) => {
  if (logsFile === undefined)
    throw new InvalidSetting(
      'witnessLogs: a witness needs a file with a line `log <verifier key>` for each log that it cosigns (FONDS_WITNESS_LOGS)',
    )
  const { openWitnessIn } = await import('../infra/proof/open-witness.ts')
  return openWitnessIn({ folder: join(home, 'witness'), name, logsFile }, clock)
}
