import { notExported } from '../../domain/kernel/premis.ts'
import type { PremisModel } from '../premis-model.ts'

export const chainPremis: PremisModel = notExported(
  'where an object stands: what happened to it is in the events of the workflows that did it',
)
