import { randomUUID } from 'node:crypto'
import gossipServices from '@eventstore/db-client/generated/gossip_grpc_pb.js'
import gossip from '@eventstore/db-client/generated/gossip_pb.js'
import featureServices from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js'
import messages from '@eventstore/db-client/generated/serverfeatures_pb.js'
import shared from '@eventstore/db-client/generated/shared_pb.js'
import streamServices from '@eventstore/db-client/generated/streams_grpc_pb.js'
import type { ServiceDefinition } from '@grpc/grpc-js'
import { ticksOf } from './responses.ts'

/** The version of EventStoreDB that the gateway behaves like: clients choose their calls by it. */
const serverVersion = '23.10.6'

/** Features of the server's methods: clients avoid those that are not listed here. */
const features: Readonly<Record<string, readonly string[]>> = {
  batchappend: ['deadline_duration'],
  read: ['position', 'events'],
}

const served: readonly ServiceDefinition[] = [
  streamServices.StreamsService,
  gossipServices.GossipService,
  featureServices.ServerFeaturesService,
]

export const supportedMethods = (): messages.SupportedMethods => {
  const answer = new messages.SupportedMethods()
  answer.setEventStoreServerVersion(serverVersion)
  for (const { path } of served.flatMap((service) => Object.values(service))) {
    const [, service = '', method = ''] = path.toLowerCase().split('/')
    const supported = new messages.SupportedMethod()
    supported.setServiceName(service)
    supported.setMethodName(method)
    if (service.endsWith('.streams')) supported.setFeaturesList([...(features[method] ?? [])])
    answer.addMethods(supported)
  }
  return answer
}

const instance = randomUUID()

/** A cluster of one node, at the address that the client called. */
export const clusterOfOne = (host: string, port: number): gossip.ClusterInfo => {
  const endpoint = new gossip.EndPoint()
  endpoint.setAddress(host)
  endpoint.setPort(port)
  const id = new shared.UUID()
  id.setString(instance)
  const member = new gossip.MemberInfo()
  member.setInstanceId(id)
  member.setTimeStamp(ticksOf(Date.now()))
  member.setState(gossip.MemberInfo.VNodeState.LEADER)
  member.setIsAlive(true)
  member.setHttpEndPoint(endpoint)
  const cluster = new gossip.ClusterInfo()
  cluster.addMembers(member)
  return cluster
}

/** `host:port` as a client wrote it, with IPv6 in brackets. */
export const endpointCalled = (authority: string, port: number): [host: string, port: number] => {
  const [, bracketed, plain, given] = /^(?:\[(.+)\]|([^:]+))(?::(\d+))?$/.exec(authority) ?? []
  return [bracketed ?? plain ?? '127.0.0.1', given ? Number(given) : port]
}
