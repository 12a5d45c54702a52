import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/**
 * `biome check` with the arguments given. Where the linter has no binary for the machine, one line says so and exit code 0
 * lets the tests run. With `CI=true` it is a failure.
 */
const biome = fileURLToPath(import.meta.resolve('@biomejs/biome/bin/biome'))
const run = (args: readonly string[], stdio: 'inherit' | 'ignore') =>
  spawnSync(process.execPath, [biome, ...args], { stdio }).status

if (run(['--version'], 'ignore') === 0) {
  process.exitCode = run(['check', ...process.argv.slice(2)], 'inherit') ?? 1
} else {
  const machine = `${process.platform}-${process.arch}`
  process.stderr.write(
    `\n*** NOT LINTED: the linter has no binary for this machine (${machine}); where there is one, npm ci brings it ***\n\n`,
  )
  process.exitCode = process.env.CI === 'true' ? 1 : 0
}
