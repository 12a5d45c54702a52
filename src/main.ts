#!/usr/bin/env node
import { runCli } from './cli/program.ts'
import { openAlone, openSystem } from './open-system.ts'

process.exitCode = await runCli(process.argv.slice(2), {
  openSystem,
  openAlone,
  http: async () => (await import('./api/http.ts')).http,
  env: process.env,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
})
