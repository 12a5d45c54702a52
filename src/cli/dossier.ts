import { declaredAs } from '../workflows/declared.ts'
import type { Register } from './context.ts'

/** `fonds dossier <anything>`: a question of the chain under a name of its own. */
export const registerDossier: Register = async (program, context, isTyped) => {
  if (!isTyped('dossier')) {
    program.command('dossier').summary('how far an object has come through the workflows')
    return
  }
  const { registerQuestion } = await import('./question/register.ts')
  const question = await declaredAs('chain')
    ?.questions?.()
    .then(({ dossier }) => dossier?.())
  if (question) registerQuestion(program, context, 'chain', question)
}
