import { orThrow } from '../../async/unavailable.ts'
import { isPersonal } from '../../domain/kernel/personal.ts'
import type { Session } from '../context.ts'
import { type CliFailure, refused, usage } from '../output/exit-codes.ts'
import { jsonText } from '../output/format.ts'

export const run = async (session: Session, reference: string): Promise<CliFailure | undefined> => {
  if (!isPersonal(reference))
    return usage(
      'it wants a reference as it stands in the log: personal:<22 characters>.<43 characters>',
      'exports have them, and event topics; answers have values in their place',
    )
  const { personal } = await session.home()
  const value = (await orThrow(personal.find([reference]), 'personal values')).get(reference)
  if (!value)
    return refused(
      'the reference is unknown here',
      'it is of another archive, or its folder is elsewhere: FONDS_PERSONAL_FOLDER',
    )
  const row = value.kind === 'erased' ? { erasedAt: value.at } : { value: value.text, salt: value.salt }
  await session.output.write(`${jsonText({ reference, ...row })}\n`, 'as stored')
  return undefined
}
