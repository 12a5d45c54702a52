import * as t from 'io-ts'
import { annotate } from '../kernel/annotation.ts'
import type { WorkState } from './transitions.ts'

/*
 * A site is a folder whose bytes one node has, or several that share it: a home, or a work folder. What lies in a home is
 * worked on by a process that has this home; what was brought into a work folder by any that has that folder.
 */

const site = /^[\w.-]{1,255}\/[0-9a-f]{8,32}$/

/** The host that made it, for people, and what no other folder has. */
export const Site = annotate(
  t.refinement(t.string, (s) => site.test(s), 'site, as <host>/<hex digits>'),
  { pattern: site.source, examples: ['node-1/3f9c0d1e5b7a2468'] },
)

export const siteOf = (host: string, digits: string): string =>
  `${host.replaceAll(/[^\w.-]/g, '_').slice(0, 255) || 'node'}/${digits}`

/** `source`: where its payload lies, if one node alone has it. `work`: where its files were brought to. */
export interface SitesOfJob {
  readonly source: string
  readonly work: string
}

/** Returns the site where a job must be worked on in a state; empty: anywhere. Files on a server can be fetched again. */
export const siteIn = (state: WorkState, { source, work }: SitesOfJob): string => {
  switch (state) {
    case 'pending':
    case 'estimating':
    case 'provisioning':
      return source
    case 'downloading':
      return source || work
    case 'processing':
    case 'storing':
      return source && (work || source)
    case 'recording':
    case 'notify':
      return ''
  }
}
