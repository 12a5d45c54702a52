#!/usr/bin/env node
import { runCli } from './cli/program.ts'

process.exitCode = await runCli(process.argv.slice(2), {
  openSystem: async (config, options) => (await import('./open-system.ts')).openSystem(config, options),
  openHome: async (config, given, workflows) =>
    (await import('./open-home.ts')).openHome(config, given, workflows),
  openPersonal: async (config) => (await import('./open-home.ts')).openPersonal(config),
  openAlone: async (config) => (await import('./open-system.ts')).openAlone(config),
  http: async () => (await import('./api/http.ts')).http,
  env: process.env,
  get stdin() {
    return process.stdin
  },
  stdout: process.stdout,
  stderr: process.stderr,
})
