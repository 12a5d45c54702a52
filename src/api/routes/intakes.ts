import { isLeft } from 'fp-ts/lib/Either.js'
import { sealedActor } from '../../app/sealed-by.ts'
import { SECOND } from '../../domain/kernel/time.ts'
import type { Intake } from '../../workflows/intake.ts'
import type { Workflow } from '../../workflows/workflow.ts'
import { type ApiContext, v1 } from '../context.ts'
import { decodeJson } from '../http/decode-request.ts'
import { refuse } from '../http/refuse.ts'
import { jsonProblems } from '../http/register.ts'
import { type Handled, json, type Route, route } from '../http/route.ts'
import { idempotencyKey } from './commands.ts'

const formType = 'multipart/form-data'

/** A route for each intake: what may be submitted over HTTP. */
export const intakeRoutes = (context: ApiContext): readonly Route[] =>
  context.system.workflows.flatMap((workflow) =>
    (workflow.intakes ?? []).map((intake) => intakeRoute(context, workflow, intake)),
  )

const intakeRoute = ({ system }: ApiContext, { name }: Workflow, intake: Intake): Route => {
  const { path, operationId, summary, description, repeats, given, example, form, refusals } = intake
  const { status: done = 202 } = intake
  const maxBytes = form?.maxBytes(system) ?? 0
  const taking = route(
    {
      method: 'post',
      path: `${v1}/${path}`,
      operationId,
      summary,
      description,
      tags: [name],
      parameters: [{ ...idempotencyKey, description: repeats }],
      requestBody: {
        description: form ? 'As JSON, or as a form with files.' : 'As JSON.',
        codec: given,
        example,
        ...(form && { others: [{ contentType: formType, codec: form.fields }] }),
      },
      responses: { [done]: { description: intake.returns, codec: intake.taken } },
      problems: [
        ...Object.entries(refusals).map(([code, { status, description }]) => ({ status, code, description })),
        ...jsonProblems,
        ...(form
          ? [
              {
                status: 400 as const,
                code: 'bad-form',
                description: 'The form is not proper, or broke off.',
              },
            ]
          : []),
      ],
      permission: 'operate',
    },
    async ({ parameters, headers, bytes, parts, caller }): Promise<Handled> => {
      const actor = caller.person && (await sealedActor(system, caller.person.reference))
      const key = parameters['idempotency-key']
      if (parts && Number(headers['content-length']) > maxBytes + maxAround)
        return refuse(413, 'too-large', `the form is over ${maxBytes} bytes; send less at a time`)
      const body = parts ? undefined : decodeJson(given, headers['content-type'], bytes)
      if (body && isLeft(body)) return body
      const taken =
        parts && intake.takeForm
          ? await intake.takeForm(system, parts, key, actor)
          : await intake.take(system, body?.right, key, actor)
      if (!isLeft(taken)) return json(intake.taken.encode(taken.right), { status: done })
      const { code, message, path } = taken.left
      return refuse(refusals[code]?.status ?? 400, code, message, path === undefined ? {} : { path })
    },
  )
  const stallMillis = system.config.stallSeconds * SECOND
  if (!form) return taking
  return { ...taking, form: { maxFiles: form.maxFiles, stallMillis, clock: system.clock } }
}

/** Most bytes of a form besides its files. */
const maxAround = 10 * 1024 * 1024
