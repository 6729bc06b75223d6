// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// @file
/// Simulates an open network of stations in Cimba (https://github.com/ambonvik/cimba), for cimba_peer.py, which writes
/// the network to the standard input and makes a table of the result.
///
///     cimba_peer REPLICATIONS SEED processes|events
///
/// It prints a line with the mean and the variance of each response, then Cimba's version and the processor seconds.
///
/// With `processes`, as in Cimba's own benchmark, the arrivals and every server are processes, and the customers of a
/// station wait in an object queue; a service without queue is an event. With `events`, arrivals and ends of services
/// are events, and the customers of a station wait in a linked list. Cimba's assertions are those of its release build.

#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cimba.h>
#include <cmi_mempool.h>

struct customer {
  double joined;  // time of the arrival at the station
  struct station* station;
  struct customer* next;  // next customer in the queue; used with events
};

struct branch {
  int to;
  double cumulative;  // probability of this branch and of those before it
};

// Mean of a response and the sum of its squared deviations from it, over replications.
struct moments {
  double mean, squares;
};

struct station {
  char name[64];
  int servers;  // 0: unlimited
  double mean_service;
  int branch_count;
  struct branch* branches;
  // State and statistics of a replication. The statistics start at the end of the warm-up.
  int busy;
  struct customer *first, *last;
  struct cmb_objectqueue* queue;
  double wait_sum, time_sum;
  long waits, served;
  struct moments wait, time, throughput;
};

struct network {
  double horizon, warm_up, mean_interarrival;
  int entry, station_count, process_count;
  struct station* stations;
  bool has_processes;
  struct cmb_process** processes;  // the arrivals and all servers
  struct cmi_mempool* customers;
};

static struct network network;

static void fail(const char* message) {
  fprintf(stderr, "cimba_peer: %s\n", message);
  exit(1);
}

static double read_number(const char* what) {
  double value = 0;
  if (scanf("%lf", &value) != 1) {
    fprintf(stderr, "cimba_peer: the network on standard input has no %s; run cimba_peer.py\n", what);
    exit(1);
  }
  return value;
}

static void read_station(struct station* station) {
  if (scanf("%63s", station->name) != 1) fail("the network on standard input has too few stations; run cimba_peer.py");
  station->servers = (int)read_number("number of servers");
  station->mean_service = 1 / read_number("service rate");
  station->branch_count = (int)read_number("number of branches");
  station->branches = calloc((size_t)station->branch_count + 1, sizeof(struct branch));
  double cumulative = 0;
  for (int i = 0; i < station->branch_count; ++i) {
    station->branches[i].to = (int)read_number("branch");
    cumulative += read_number("probability");
    station->branches[i].cumulative = cumulative;
  }
}

static void read_network(void) {
  network.horizon = read_number("horizon");
  network.warm_up = read_number("warm-up");
  network.mean_interarrival = 1 / read_number("arrival rate");
  network.entry = (int)read_number("entry");
  network.station_count = (int)read_number("number of stations");
  network.stations = calloc((size_t)network.station_count, sizeof(struct station));
  network.process_count = 1;
  for (int s = 0; s < network.station_count; ++s) {
    read_station(&network.stations[s]);
    network.process_count += network.stations[s].servers;
  }
  network.processes = calloc((size_t)network.process_count, sizeof(struct cmb_process*));
}

static void end_service(void* subject, void* object);

static void begin_service(struct customer* customer) {
  struct station* station = customer->station;
  const double now = cmb_time();
  if (now >= network.warm_up) {
    station->wait_sum += now - customer->joined;
    ++station->waits;
  }
}

static void schedule_end(struct customer* customer) {
  const double service = cmb_random_exponential(customer->station->mean_service);
  cmb_event_schedule(end_service, NULL, customer, cmb_time() + service, 0);
}

static void join(struct customer* customer, int s) {
  struct station* station = &network.stations[s];
  customer->station = station;
  customer->joined = cmb_time();
  if (station->servers == 0) {
    schedule_end(customer);
  } else if (network.has_processes) {
    cmb_objectqueue_put(station->queue, customer);
  } else if (station->busy < station->servers) {
    ++station->busy;
    begin_service(customer);
    schedule_end(customer);
  } else {
    customer->next = NULL;
    if (station->first == NULL) {
      station->first = customer;
    } else {
      station->last->next = customer;
    }
    station->last = customer;
  }
}

static void leave_station(struct customer* customer) {
  struct station* station = customer->station;
  const double now = cmb_time();
  if (now >= network.warm_up) {
    station->time_sum += now - customer->joined;
    ++station->served;
  }
  const double u = station->branch_count > 0 ? cmb_random() : 1;
  for (int i = 0; i < station->branch_count; ++i) {
    if (u < station->branches[i].cumulative) {
      join(customer, station->branches[i].to);
      return;
    }
  }
  cmi_mempool_free(network.customers, customer);
}

// The end of a service with events, or at a station with unlimited servers.
static void end_service(void* subject, void* object) {
  (void)subject;
  struct customer* customer = object;
  struct station* station = customer->station;
  if (station->servers > 0) {
    struct customer* next = station->first;
    if (next == NULL) {
      --station->busy;
    } else {
      station->first = next->next;
      begin_service(next);
      schedule_end(next);
    }
  }
  leave_station(customer);
}

static void* server(struct cmb_process* me, void* object) {
  (void)me;
  struct station* station = object;
  for (;;) {
    void* customer = NULL;
    cmb_objectqueue_get(station->queue, &customer);
    begin_service(customer);
    cmb_process_hold(cmb_random_exponential(station->mean_service));
    leave_station(customer);
  }
  return NULL;
}

static void* arrivals(struct cmb_process* me, void* object) {
  (void)me;
  (void)object;
  for (;;) {
    cmb_process_hold(cmb_random_exponential(network.mean_interarrival));
    join(cmi_mempool_alloc(network.customers), network.entry);
  }
  return NULL;
}

static void schedule_arrival(void);

static void arrive(void* subject, void* object) {
  (void)subject;
  (void)object;
  schedule_arrival();
  join(cmi_mempool_alloc(network.customers), network.entry);
}

static void schedule_arrival(void) {
  cmb_event_schedule(arrive, NULL, NULL, cmb_time() + cmb_random_exponential(network.mean_interarrival), 0);
}

static void end_replication(void* subject, void* object) {
  (void)subject;
  (void)object;
  for (int i = 0; network.has_processes && i < network.process_count; ++i) cmb_process_stop(network.processes[i], NULL);
  cmb_event_queue_clear();
}

static void start_process(int i, cmb_process_func* function, void* object) {
  network.processes[i] = cmb_process_create();
  cmb_process_initialize(network.processes[i], "process", function, object, 0);
  cmb_process_start(network.processes[i]);
}

static void start_processes(void) {
  int started = 0;
  start_process(started++, arrivals, NULL);
  for (int s = 0; s < network.station_count; ++s) {
    struct station* station = &network.stations[s];
    station->queue = cmb_objectqueue_create();
    cmb_objectqueue_initialize(station->queue, station->name, CMB_UNLIMITED);
    for (int i = 0; i < station->servers; ++i) start_process(started++, server, station);
  }
}

static void remove_processes(void) {
  for (int i = 0; i < network.process_count; ++i) {
    cmb_process_terminate(network.processes[i]);
    cmb_process_destroy(network.processes[i]);
  }
  for (int s = 0; s < network.station_count; ++s) {
    cmb_objectqueue_terminate(network.stations[s].queue);
    cmb_objectqueue_destroy(network.stations[s].queue);
  }
}

static void simulate(uint64_t seed) {
  cmb_random_initialize(seed);
  cmb_event_queue_initialize(0.0);
  network.customers = cmi_mempool_create();
  cmi_mempool_initialize(network.customers, sizeof(struct customer), 512);
  for (int s = 0; s < network.station_count; ++s) {
    struct station* station = &network.stations[s];
    station->busy = 0;
    station->first = station->last = NULL;
    station->wait_sum = station->time_sum = 0;
    station->waits = station->served = 0;
  }
  if (network.has_processes) {
    start_processes();
  } else {
    schedule_arrival();
  }
  cmb_event_schedule(end_replication, NULL, NULL, network.horizon, 0);
  cmb_event_queue_execute();
  if (network.has_processes) remove_processes();
  cmi_mempool_terminate(network.customers);
  cmi_mempool_destroy(network.customers);
  cmb_event_queue_terminate();
  cmb_random_terminate();
}

static void add(struct moments* moments, double value, long count) {
  const double difference = value - moments->mean;
  moments->mean += difference / (double)count;
  moments->squares += difference * (value - moments->mean);
}

static void add_replication(long count) {
  for (int s = 0; s < network.station_count; ++s) {
    struct station* station = &network.stations[s];
    add(&station->wait, station->waits > 0 ? station->wait_sum / (double)station->waits : 0, count);
    add(&station->time, station->served > 0 ? station->time_sum / (double)station->served : 0, count);
    add(&station->throughput, (double)station->served / (network.horizon - network.warm_up), count);
  }
}

// Prints the mean and the variance of a response.
static void print(const char* what, const struct station* station, const struct moments* moments, long replications) {
  const double variance = moments->squares / (double)(replications - 1);
  printf("%s at %s\t%.17g\t%.17g\n", what, station->name, moments->mean, variance);
}

static double processor_seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

int main(int count, char** values) {
  if (count != 4) fail("give REPLICATIONS SEED processes|events");
  const long replications = strtol(values[1], NULL, 10);
  const uint64_t seed = strtoull(values[2], NULL, 10);
  network.has_processes = strcmp(values[3], "processes") == 0;
  if (!network.has_processes && strcmp(values[3], "events") != 0) fail("give processes or events as the third value");
  if (replications < 2) fail("give 2 or more REPLICATIONS");
  read_network();
  cmb_logger_flags_off(CMB_LOGGER_INFO);
  // The function mixes the sum of its arguments: a mixed seed keeps runs with other seeds from sharing replications.
  const uint64_t mixed = cmb_random_fmix64(seed, 1);
  const double before = processor_seconds();
  for (long i = 0; i < replications; ++i) {
    simulate(cmb_random_fmix64(mixed, (uint64_t)i));
    add_replication(i + 1);
  }
  const double seconds = processor_seconds() - before;
  for (int s = 0; s < network.station_count; ++s) {
    const struct station* station = &network.stations[s];
    if (station->servers > 0) print("wait", station, &station->wait, replications);
    print("time", station, &station->time, replications);
    print("throughput", station, &station->throughput, replications);
  }
  printf("%s\t%.9g\t0\n", cimba_version(), seconds);
  return 0;
}
