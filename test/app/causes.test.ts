import { expect, it } from 'vitest'
import { causesOf } from '#src/app/causes.ts'
import { ViewQueryError } from '#src/domain/kernel/view.ts'
import type { Cause } from '#src/workflows/cause.ts'
import { emptyWorkflow } from '#src/workflows/workflow.ts'
import { useFonds } from '../cli/fonds.ts'

const fonds = useFonds()
const said: Cause = { key: 'x', says: 'something waits', todo: 'do it', weight: 1 }
const workflow = (name: string, attention: () => Promise<readonly Cause[]>) => ({
  ...emptyWorkflow,
  ...{ name, description: name, attention },
})

it('a workflow whose views cannot be asked is told as that, and the others as ever', () =>
  fonds.withSystem(async (system) => {
    const broken = workflow('old', async () => {
      throw new ViewQueryError('view old has no column new')
    })
    const found = await causesOf({ ...system, workflows: [broken, workflow('other', async () => [said])] })
    expect(found).toEqual([
      {
        key: 'unknown/old',
        says: 'what waits for people in old is not known: view old has no column new',
        todo: expect.stringContaining('`fonds start`'),
        weight: 1,
      },
      said,
    ])
  }))

it('a fault of ours is no such thing', () =>
  fonds.withSystem(async (system) => {
    const broken = workflow('x', async () => {
      throw new TypeError('x is undefined')
    })
    await expect(causesOf({ ...system, workflows: [broken] })).rejects.toThrow('x is undefined')
  }))
