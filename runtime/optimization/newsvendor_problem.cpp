// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/optimization/problems_in_memory.hpp>
#include <sporos/runtime/options/common_options.hpp>
#include <sporos/runtime/options/text_parts.hpp>

#include <sporos/core/execution/memory.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/optimizers/linear_programs/host_program.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

namespace sporos::runtime {

namespace {

constexpr double default_tightness = 0.7;
constexpr std::int64_t max_amounts = 100'000'000;  // limit for products times resources of a generated instance

std::vector<OptionEntry> newsvendor_options() {
  const std::string files = "Files (--products, --demands, or both)", shared = "Resources that products share";
  const std::string costs = "Costs of a unit of every product (--demands without --products)";
  const std::string generated = "Generated instance";
  return {
      data_file(
          files, "products",
          "CSV, a row for each product: product (its name), cost, holding, price, and its demand: mean and deviation "
          "(normal), or demand, such as \"gamma(16, 10)\" or poisson(9)"),
      data_file(files, "demands",
                "CSV of observed demands, in any order: a column for each product, a row for each period"),
      {files, "ignore", "NAME[,NAME]", "--demands: columns that are left out, such as identifiers, names and dates"},
      {files, "missing", "refuse|drop",
       "--demands: refuse a file in which a demand is missing (empty, NA, NaN, null or ?), or drop its period; "
       "default: refuse"},
      {costs, "cost", "K", "cost of a unit that is ordered"},
      {costs, "price", "V", "cost of a unit that is missing, which is the selling price if that sale is lost"},
      {costs, "holding", "H", "cost of a unit that is left over; default: 0"},
      {costs, "salvage", "S", "value of a unit that is left over, the same as --holding with -S"},
      data_file(shared, "resources",
                "CSV, a row for each resource: resource (its name), capacity, and optionally sense (<=, >= or =), "
                "otherwise all are <="),
      data_file(
          shared, "amounts",
          "CSV, a row for each product: product, and a column for each resource with the amount that a unit requires"),
      {generated, "product-count", "D", "number of products"},
      {generated, "resource-count", "M", "number of resources that the products share; default: 1"},
      {generated, "tightness", "T",
       "capacity of a resource, as a fraction of its use by the mean demands; default: " +
           io::shortest_text(default_tightness)},
      {generated, "instance-seed", "S", "seed of the instance; default: 1"}};
}

void refuse_generator(const OptionTable& options) {
  for (const char* name : {"resource-count", "tightness", "instance-seed"}) {
    options.refuse_unless(false, name, "--product-count");
  }
}

// Checks that the options fit each other and select a source of the products.
void check_source(const OptionTable& options) {
  const bool is_generated = options.has("product-count");
  for (const char* name : {"products", "resources", "amounts", "demands"}) {
    if (is_generated && options.has(name)) {
      throw std::invalid_argument(fmt::format("--product-count and --{} are given, expected one of them", name));
    }
  }
  if (!is_generated) refuse_generator(options);
  if (!is_generated && !options.has("products") && !options.has("demands")) {
    throw std::invalid_argument("no products are given: expected --products, --demands or --product-count");
  }
  options.refuse_unless(options.has("resources"), "amounts", "--resources");
  options.refuse_unless(options.has("amounts"), "resources", "--amounts");
  const bool shares_costs = options.has("demands") && !options.has("products");
  for (const char* name : {"cost", "price", "holding", "salvage"}) {
    options.refuse_unless(shares_costs, name, "--demands and without --products");
  }
  for (const char* name : {"ignore", "missing"}) options.refuse_unless(options.has("demands"), name, "--demands");
  options.refuse_unless(!options.has("salvage"), "holding", "no --salvage");
  for (const char* name : {"cost", "price"}) {
    if (!shares_costs || options.has(name)) continue;
    throw std::invalid_argument(
        fmt::format("--{} is not given: expected it with --demands and without --products", name));
  }
}

models::UnitCosts unit_costs(const OptionTable& options) {
  constexpr double unbounded = std::numeric_limits<double>::lowest();
  const models::UnitCosts each{
      options.number("cost", 0, unbounded),
      options.has("salvage") ? -options.number("salvage", 0, unbounded) : options.number("holding", 0, unbounded),
      options.number("price", 0, unbounded)};
  if (each.price + each.holding > 0) return each;
  throw std::invalid_argument(
      fmt::format("--price plus --holding, or minus --salvage, is {}, expected a number above 0",
                  io::shortest_text(each.price + each.holding)));
}

class NewsvendorProblem final : public OptimizationProblem {
 public:
  explicit NewsvendorProblem(const OptionTable& options) {
    check_source(options);
    if (options.has("product-count")) {
      use_generated(options);
    } else {
      use_files(options);
    }
    finish();
  }

  // Uses data that are in memory.
  NewsvendorProblem(models::NamedNewsvendor newsvendor, const OptionTable& options) {
    refuse_generator(options);
    newsvendor.newsvendor.products.check();
    const auto& shared = newsvendor.newsvendor.resources;
    if (shared.size() > 0) shared.check(newsvendor.newsvendor.products.size());
    use(std::move(newsvendor));
    m_description.title = plural(m_task.instance.products.size(), "product", "products");
    finish();
  }

  const ProblemDescription& description() const override { return m_description; }

  FrankWolfeOptions default_options() const override {
    FrankWolfeOptions options = default_options_of_samples(m_description.dimension);
    if (!m_description.is_sampled) options.gap.batches = 0;
    return options;
  }

  std::vector<double> start() const override;

  OptimizationOutcome run(const Backend& backend, const OptimizationRun& run) const override {
    return backend.run(m_task, run);
  }

  Findings findings(const OptimizationOutcome& outcome) const override {
    if (!m_description.is_sampled) return {};
    return {outcome.exact_objective, outcome.optimum, {}, uses_of(outcome.result.solution)};
  }

 private:
  void use_generated(const OptionTable& options);
  void use_files(const OptionTable& options);
  void use(models::NamedNewsvendor newsvendor);
  void finish();
  void check_programs();
  std::vector<double> demand_numbers() const;
  std::vector<ResourceUse> uses_of(const std::vector<double>& x) const;

  NewsvendorTask m_task;
  ProblemDescription m_description;
  std::vector<std::string> m_resource_names;
};

void NewsvendorProblem::use_generated(const OptionTable& options) {
  const auto products = options.whole("product-count", 0, 1, max_coordinates);
  const auto resources = options.whole("resource-count", 1, 1, max_amounts / products);
  const auto seed = options.seed("instance-seed", 1);
  const double tightness = options.positive("tightness", default_tightness);
  // Copies are on the host, in the region's order and on the device. With more resources than products, another one is
  // transposed.
  const double copies = resources > products ? 4 : 3;
  check_memory<Kokkos::HostSpace>(
      {"amounts", products, "products", copies * sizeof(double) * static_cast<double>(resources)});
  m_task.instance = models::generated_newsvendor(seed, products, resources, tightness);
  for (std::int64_t i = 0; i < resources; ++i) m_resource_names.push_back(fmt::format("resource {}", i + 1));
  m_description.title = fmt::format("{}, generated instance {}", plural(products, "product", "products"), seed);
  m_description.settings = {{"resource_count", "resources", resources, ValueKind::count},
                            {"tightness", "tightness", tightness, ValueKind::number},
                            {"instance_seed", "seed of the instance", seed, ValueKind::count}};
}

void NewsvendorProblem::use_files(const OptionTable& options) {
  const auto path = [&](const char* name) { return options.text(name).value_or(""); };
  for (const char* name : {"products", "resources", "amounts", "demands"}) {
    if (options.has(name)) m_description.settings.push_back({name, name, path(name)});
  }
  const models::DemandsReading reading{columns_of(options, "ignore"), drops_missing(options)};
  if (options.has("products")) {
    use(models::read_newsvendor(path("products"), path("resources"), path("amounts"), path("demands"), reading));
  } else {
    const models::UnitCosts each = unit_costs(options);
    m_description.settings.push_back({"cost", "cost of a unit", each.cost, ValueKind::number});
    m_description.settings.push_back({"holding", "holding of a unit", each.holding, ValueKind::number});
    m_description.settings.push_back({"price", "price of a unit", each.price, ValueKind::number});
    use(models::read_newsvendor_demands(path("demands"), each, path("resources"), path("amounts"), reading));
  }
  m_description.title =
      fmt::format("{} in {}", plural(static_cast<std::int64_t>(m_description.names.size()), "product", "products"),
                  path(options.has("products") ? "products" : "demands"));
}

void NewsvendorProblem::use(models::NamedNewsvendor newsvendor) {
  m_task.instance = std::move(newsvendor.newsvendor);
  m_resource_names = std::move(newsvendor.resource_names);
  m_description.names = std::move(newsvendor.product_names);
  m_description.notes = std::move(newsvendor.notes);
}

// Returns the point without orders or, if that is infeasible, a vertex.
std::vector<double> NewsvendorProblem::start() const {
  std::vector<double> x(static_cast<std::size_t>(m_description.dimension));
  const models::NewsvendorResources rows = m_task.instance.resources.at_most();
  if (std::ranges::all_of(rows.capacity, [](double capacity) { return capacity >= 0; })) return x;
  constexpr auto infeasible =
      "no quantities meet the capacities of all resources, expected other capacities or amounts";
  // With more resources than products, solves the dual of minimizing the sum of all quantities: its basis is smaller.
  if (rows.capacity.size() > x.size()) {
    std::vector<std::vector<double>> columns(rows.capacity.size());
    for (std::size_t i = 0; i < rows.amounts.size(); ++i) columns[i / x.size()].push_back(-rows.amounts[i]);
    const LinearProgramSolution dual = HostProgram(columns, std::vector<double>(x.size(), 1.0)).minimize(rows.capacity);
    if (dual.status != LinearProgramStatus::optimal) throw std::invalid_argument(infeasible);
    for (std::size_t j = 0; j < x.size(); ++j) x[j] = std::abs(dual.prices[j]);
    return x;
  }
  std::vector<std::vector<double>> columns(x.size());
  for (std::size_t i = 0; i < rows.amounts.size(); ++i) columns[i % x.size()].push_back(rows.amounts[i]);
  const LinearProgramSolution found = HostProgram(columns, rows.capacity).minimize(std::vector<double>(x.size()));
  if (found.status == LinearProgramStatus::infeasible) throw std::invalid_argument(infeasible);
  for (const VertexEntry& entry : found.vertex) x[static_cast<std::size_t>(entry.index)] = entry.value;
  return x;
}

// Checks the size of the linear programs. Each iteration solves one and inverts its basis, see Resources. Throws if
// that takes too long; adds a note if it takes long.
void NewsvendorProblem::check_programs() {
  const auto& [products, resources] = m_task.instance;
  const auto twice = std::count(resources.senses.begin(), resources.senses.end(), models::ResourceSense::exactly);
  const std::int64_t rows = resources.size() + twice;
  const std::int64_t size = std::min(rows, products.size());
  constexpr std::int64_t most = 3000, many = 100;
  if (size > most) {
    throw std::invalid_argument(fmt::format(
        "there are {} resources, where those with = count twice, and {} products, expected at most {} of either: each "
        "iteration solves a linear program whose rows are the smaller of these numbers, in a time that grows with its "
        "cube; omit resources that do not bind, or merge some",
        rows, products.size(), most));
  }
  if (size <= many) return;
  constexpr double seconds_of_cube = 5e-10;  // measured at 150 rows: 1.7 ms
  m_description.iteration_seconds = seconds_of_cube * std::pow(static_cast<double>(size), 3);
  m_description.notes.push_back(
      fmt::format("each iteration solves a linear program with {} rows, which takes about {:.2g} s", size,
                  m_description.iteration_seconds));
}

// Sets the parts of the description that do not depend on the source of the data.
void NewsvendorProblem::finish() {
  const auto& [products, resources] = m_task.instance;
  m_description.name = "newsvendor";
  m_description.is_sampled = m_description.has_resources = resources.size() > 0;
  if (m_description.is_sampled) check_programs();
  m_description.region = "quantities of at least 0";
  if (m_description.is_sampled) {
    m_description.region += fmt::format(" within the limits of {}", plural(resources.size(), "resource", "resources"));
  } else {
    m_description.closed_form =
        "Each product separately: the quantile of its demand at (price - cost) / (price + holding)";
  }
  m_description.variable = "product";
  m_description.quantity = "quantity";
  m_description.dimension = products.size();
  m_description.digest = digest_of_numbers(products.cost) + 3 * digest_of_numbers(products.holding) +
                         5 * digest_of_numbers(products.price) + 7 * digest_of_numbers(demand_numbers()) +
                         9 * digest_of_numbers(resources.capacity) + 11 * digest_of_numbers(resources.amounts);
  for (const models::ResourceSense sense : resources.senses) {
    m_description.digest = 13 * m_description.digest + static_cast<std::uint64_t>(sense);
  }
}

std::vector<double> NewsvendorProblem::demand_numbers() const {
  std::vector<double> numbers;
  for (const auto& demand : m_task.instance.products.demand) {
    numbers.push_back(static_cast<double>(demand.kind));
    numbers.insert(numbers.end(), demand.parameters.begin(), demand.parameters.begin() + 3);  // no demand has a fourth
    numbers.insert(numbers.end(), demand.values.begin(), demand.values.end());
  }
  return numbers;
}

std::vector<ResourceUse> NewsvendorProblem::uses_of(const std::vector<double>& x) const {
  const auto& resources = m_task.instance.resources;
  std::vector<ResourceUse> uses;
  for (std::size_t i = 0; i < resources.capacity.size(); ++i) {
    double use = 0;
    for (std::size_t j = 0; j < x.size(); ++j) use += resources.amounts[i * x.size() + j] * x[j];
    uses.push_back({m_resource_names[i], use, resources.capacity[i], std::string(name_of(resources.sense(i)))});
  }
  return uses;
}

std::unique_ptr<OptimizationProblem> make_newsvendor(const OptionTable& options) {
  return std::make_unique<NewsvendorProblem>(options);
}

}  // namespace

std::unique_ptr<OptimizationProblem> newsvendor_problem(models::NamedNewsvendor newsvendor,
                                                        const OptionTable& options) {
  return std::make_unique<NewsvendorProblem>(std::move(newsvendor), options);
}

ProblemKind newsvendor_kind() {
  return {
      "newsvendor",
      "newsvendor of one or many products, which may share resources: minimizes the expected cost of its orders",
      "A unit of a product costs `cost` if it is ordered, `holding` if it is left over (negative if it has a value) "
      "and\n`price` if it is missing. Observed demands are a distribution with linear interpolation between them.\n"
      "Without resources a formula gives the solution, without iterations.",
      {{default_options_of_samples(1)}},
      newsvendor_options,
      make_newsvendor};
}

}  // namespace sporos::runtime
