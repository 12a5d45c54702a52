import type { Telemetry } from '../../src/ports/telemetry.ts'

/** For a process whose numbers nobody can ask for. */
export const noTelemetry: Telemetry = { count: () => {}, gauge: () => {}, gauges: () => {}, time: () => {} }
