import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const here = import.meta.dirname
const run = promisify(execFile)

/** The version that `pom.xml` pins; FONDS_KAFKA_VERSION overrides it. */
export const kafkaVersion = process.env.FONDS_KAFKA_VERSION ?? '4.3.0'

/**
 * Returns Kafka's jars as a class path; downloads them through Maven the first time. Throws a sentence that says what
 * to install.
 */
export const classPath = async (log: (line: string) => void): Promise<string> => {
  const lib = join(here, 'lib', kafkaVersion)
  await need('java', ['-version'], 'Java 17 or newer (on Debian: apt-get install openjdk-17-jre-headless)')
  if (!existsSync(lib)) await fetchInto(lib, log)
  return join(lib, '*')
}

const fetchInto = async (lib: string, log: (line: string) => void): Promise<void> => {
  await need('mvn', ['-v'], 'Maven (on Debian: apt-get install maven)')
  log(`fetching Apache Kafka ${kafkaVersion} through Maven, once`)
  // Renamed when complete, so that an interrupted download is not taken for a complete one.
  const part = `${lib}.${process.pid}.part`
  mkdirSync(part, { recursive: true })
  try {
    const flags = ['-q', '-B', '-f', join(here, 'pom.xml'), `-Dkafka.version=${kafkaVersion}`]
    await run('mvn', [...flags, 'dependency:copy-dependencies', `-DoutputDirectory=${part}`])
    if (!existsSync(lib)) renameSync(part, lib)
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    throw new Error(`Maven could not fetch Apache Kafka ${kafkaVersion}:\n${(stdout + stderr).slice(-2000)}`)
  } finally {
    rmSync(part, { recursive: true, force: true })
  }
}

const need = async (command: string, args: readonly string[], what: string): Promise<void> => {
  try {
    await run(command, [...args])
  } catch {
    throw new Error(`a local Kafka needs ${what}: \`${command}\` does not run`)
  }
}
