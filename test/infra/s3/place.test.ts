import { describe, expect, it } from 'vitest'
import { escapePath, findPlace, inRegion } from '../../../infra/s3/place.ts'
import type { S3Settings } from '../../../infra/s3/settings.ts'

const noProfile = async () => ({})
const addressOf = async (settings: S3Settings, env: Record<string, string> = {}, bucket = 'bucket') => {
  const { origin, base, region } = await findPlace(bucket, settings, env, noProfile)
  return `${origin}${base} ${region}`
}

describe('the place of a bucket', () => {
  it.each<[S3Settings, Record<string, string>, string]>([
    [{}, {}, 'https://bucket.s3.us-east-1.amazonaws.com us-east-1'],
    [{}, { AWS_REGION: 'eu-west-1' }, 'https://bucket.s3.eu-west-1.amazonaws.com eu-west-1'],
    [{}, { AWS_DEFAULT_REGION: 'cn-north-1' }, 'https://bucket.s3.cn-north-1.amazonaws.com.cn cn-north-1'],
    [
      { region: 'eu-west-1' },
      { AWS_REGION: 'us-west-2' },
      'https://bucket.s3.eu-west-1.amazonaws.com eu-west-1',
    ],
    [{ pathStyle: true }, {}, 'https://s3.us-east-1.amazonaws.com/bucket us-east-1'],
    [{ endpoint: 'http://host:9000/' }, {}, 'http://host:9000/bucket us-east-1'],
    [{ endpoint: 'http://host:9000/s3' }, {}, 'http://host:9000/s3/bucket us-east-1'],
    [{ endpoint: 'http://host:9000', pathStyle: false }, {}, 'http://bucket.host:9000 us-east-1'],
    [{}, { AWS_ENDPOINT_URL: 'http://one' }, 'http://one/bucket us-east-1'],
    [
      {},
      { AWS_ENDPOINT_URL: 'http://one', AWS_ENDPOINT_URL_S3: 'http://two' },
      'http://two/bucket us-east-1',
    ],
    [{ endpoint: 'http://three' }, { AWS_ENDPOINT_URL: 'http://one' }, 'http://three/bucket us-east-1'],
  ])('%j with %j: %s', async (settings, env, expected) => {
    expect(await addressOf(settings, env)).toBe(expected)
  })

  it('with dots in its name has no host of its own, which no certificate fits', async () => {
    expect(await addressOf({}, {}, 'a.b')).toBe('https://s3.us-east-1.amazonaws.com/a.b us-east-1')
  })

  it('takes from the profile what is named nowhere else', async () => {
    const asked: string[] = []
    const profileOf = async (name: string) => {
      asked.push(name)
      return { region: 'eu-west-1', endpoint: 'http://profile' }
    }
    const place = await findPlace('bucket', { profile: 'mine' }, {}, profileOf)
    expect([place.origin, place.region]).toEqual(['http://profile', 'eu-west-1'])
    await findPlace('bucket', { endpoint: 'http://x', region: 'y' }, { AWS_PROFILE: 'other' }, profileOf)
    expect(asked).toEqual(['mine'])
  })

  it('another region is another host of AWS, and the same of others', async () => {
    const aws = await findPlace('bucket', {}, {}, noProfile)
    expect(inRegion(aws, 'bucket', 'eu-west-1').origin).toBe('https://bucket.s3.eu-west-1.amazonaws.com')
    const other = await findPlace('bucket', { endpoint: 'http://host' }, {}, noProfile)
    expect(inRegion(other, 'bucket', 'eu-west-1')).toEqual({ ...other, region: 'eu-west-1' })
  })

  it('paths are escaped as S3 signs them', () => {
    expect(escapePath("a b/+%/é~-_.!'()*/../x")).toBe('a%20b/%2B%25/%C3%A9~-_.%21%27%28%29%2A/../x')
  })
})
