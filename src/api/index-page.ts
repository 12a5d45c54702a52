import { listedTopics } from '../app/event-topics.ts'
import type { System } from '../app/system.ts'
import { type Html, html } from '../domain/kernel/html.ts'
import type { Field } from '../projections/runtime/field.ts'
import { projectionsOf, type Workflow } from '../workflows/workflow.ts'
import { v1 } from './context.ts'
import { pathOf } from './question-routes.ts'

/** A plain page for whoever opens the address: links to views, questions and documents. */
export const indexPage = ({ workflows }: Pick<System, 'workflows'>): string =>
  html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Fonds</title>
<style>
  body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
  li span { opacity: .7 }
  :root { color-scheme: light dark }
</style>
<h1>Fonds</h1>
${[
  section('Questions', workflows.flatMap(questionLinks)),
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

/** The questions that need no input. */
const questionLinks = (workflow: Workflow): readonly Html[] =>
  workflow.questions
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
