/*
 * Limits are for what hangs: no test fails for being slow, since other work may have the machine.
 */

/** Of a test and of a hook: vitest.config.ts sets it for all. */
export const limits = { timeout: 15 * 60_000 }

/** Milliseconds that a wait within a test lasts at most: less, so that it is the wait that says what it waited for. */
export const patience = 10 * 60_000
