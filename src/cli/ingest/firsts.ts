import type { First } from '../question/register.ts'

export const firsts: Readonly<Record<string, First>> = {
  audit: {
    flag: '--storage',
    says: 'compare storage first, as `compare-storage` does, and end what killed processes left in it',
    run: async (session) => (await import('./compare-storage.ts')).runFirst(session),
  },
}
