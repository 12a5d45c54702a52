import { listedTopics } from '../../app/event-topics.ts'
import type { System } from '../../app/system.ts'
import { type Html, html } from '../../domain/kernel/html.ts'
import type { Field } from '../../projections/runtime/field.ts'
import type { Question } from '../../projections/runtime/question.ts'
import { allQuestions } from '../../workflows/questions.ts'
import type { Workflow } from '../../workflows/workflow.ts'
import { projectionsOf } from '../../workflows/workflow-model.ts'
import { v1 } from '../context.ts'
import { digest } from '../http/content-policy.ts'
import { pathOf } from '../question-routes.ts'

const style = `
  body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
  li span { opacity: .7 }
  :root { color-scheme: light dark }
`

export const plainPolicy = `default-src 'none'; style-src ${digest(style)}`

/**
 * A plain page without scripts: links to views, questions and documents. `isMissing`: somebody wanted the page that is more
 * than that, and it was not built.
 */
export const plainPage = async (
  { workflows }: Pick<System, 'workflows'>,
  isMissing: boolean,
): Promise<string> => {
  const folded = new Set(projectionsOf(workflows).map(({ name }) => name))
  const isFolded = ({ projection }: Question): boolean => folded.has(projection.name)
  return html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Fonds</title>
<style>${{ markup: style }}</style>
<h1>Fonds</h1>
${isMissing ? notBuilt : undefined}
${[
  section('Questions', (await Promise.all(workflows.map((one) => questionLinks(one, isFolded)))).flat()),
  section(
    'Views',
    projectionsOf(workflows)
      .flatMap(({ views }) => views)
      .map(({ name, description }) => link(`${v1}/views/${encodeURIComponent(name)}`, name, description)),
  ),
  section('Log and topics', [
    link(`${v1}/events`, 'Events', 'The log from its beginning.'),
    link(`${v1}/topics`, 'Topics', 'Who reads them, and what waits.'),
    link(`${v1}/dead-letters`, 'Dead letters', 'Messages that could not be used.'),
    link(`${v1}/commands`, 'Commands', 'What a person can ask for.'),
  ]),
  section('Documents', [
    link(`${v1}/openapi.json`, 'OpenAPI', 'The routes.'),
    link(`${v1}/asyncapi.json`, 'AsyncAPI', 'The topics.'),
    ...listedTopics(workflows).map(({ name, description }) =>
      link(`${v1}/schemas/${encodeURIComponent(name)}`, name, description),
    ),
  ]),
  section('Operation', [
    link('/readyz', 'Readiness', 'Do stores answer, are views up to date?'),
    link('/metrics', 'Metrics', 'For Prometheus.'),
  ]),
]}
</html>
`.markup
}

const notBuilt = html`<p><strong>The page was not built here.</strong> Run <code>npm install</code>, or <code>npm run dashboard:build</code>, where Fonds is
installed, then start it again. Below is what it would have asked.</p>`

/** The questions that need no input, of what is folded here. */
const questionLinks = async (
  workflow: Workflow,
  isFolded: (question: Question) => boolean,
): Promise<readonly Html[]> =>
  (await allQuestions(workflow.questions))
    .filter(isFolded)
    .filter(({ only, input }) => only === undefined && !Object.values(input).some(isNeeded))
    .map((question) =>
      link(pathOf(workflow, question), `${workflow.name} ${question.name}`, question.summary),
    )

/** One of the pairs is needed. */
const isNeeded = ({ required, pair }: Field): boolean => required !== undefined || pair === true

const section = (title: string, links: readonly Html[]): Html =>
  html`<section><h2>${title}</h2><ul>${links}</ul></section>\n`

const link = (href: string, words: string, about: string): Html =>
  html`<li><a href="${href}">${words}</a> <span>${about}</span></li>`
