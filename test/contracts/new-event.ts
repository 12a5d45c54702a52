import { v7 as uuid } from 'uuid'
import type { NewEvent } from '../../src/domain/kernel/event.ts'

export const event = (type = 'Tested', data: unknown = { n: 1 }, id = uuid()): NewEvent => ({
  id,
  type,
  data,
  metadata: { actor: 'tester', causationId: 'cause', correlationId: 'conversation', schema: 1 },
})
