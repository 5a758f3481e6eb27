import { Injectable } from '@nestjs/common';
import { type ApiReply, type ApiRequest } from '../platform/api-request.js';
import { type RestOperationName } from './rest-endpoints.js';
import { RestReadService } from './rest-read.service.js';
import { RestWriteService } from './rest-write.service.js';

/** The variable parts of a REST path, percent-decoded. */
export interface RestParams {
  readonly type: string;
  readonly id?: string;
  readonly relationship?: string;
}

type RestOperationRun = (params: RestParams, request: ApiRequest) => Promise<ApiReply>;

/** Finds the code of an operation by its name in the table of endpoints. */
@Injectable()
export class RestOperations {
  private readonly runs: Readonly<Record<RestOperationName, RestOperationRun>>;

  constructor(reads: RestReadService, writes: RestWriteService) {
    this.runs = {
      fetchCollection: (params, request) => reads.fetchCollection(params, request),
      fetchResource: (params, request) => reads.fetchResource(params, request),
      fetchRelated: (params, request) => reads.fetchRelated(params, request),
      fetchRelationship: (params, request) => reads.fetchRelationship(params, request),
      createResource: (params, request) => writes.createResource(params, request),
      updateResource: (params, request) => writes.updateResource(params, request),
      deleteResource: (params, request) => writes.deleteResource(params, request),
      addToRelationship: (params, request) => writes.addToRelationship(params, request),
      replaceRelationship: (params, request) => writes.replaceRelationship(params, request),
      removeFromRelationship: (params, request) => writes.removeFromRelationship(params, request),
      replaceRelated: (params, request) => writes.replaceRelated(params, request),
    };
  }

  of(name: RestOperationName): RestOperationRun {
    return this.runs[name];
  }
}
