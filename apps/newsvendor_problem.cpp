// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "problems_in_memory.hpp"

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>

#include <stdexcept>
#include <utility>

namespace sporos::apps {

namespace {

constexpr double usual_tightness = 0.7;
constexpr std::int64_t most_amounts = 100'000'000;  // of a generated instance: products times resources

std::vector<OptionEntry> newsvendor_options() {
  const std::string files = "Files (--products, --resources and --amounts, or --product-count)";
  const std::string generated = "Generated instance, paper 004's";
  return {{files, "products", "FILE",
           "CSV, a row for each product: product (its name), cost, holding, price, and its demand: mean and deviation "
           "(normal), or demand, such as \"gamma(16, 10)\" or poisson(9)"},
          {files, "resources", "FILE", "CSV, a row for each resource: resource (its name), capacity"},
          {files, "amounts", "FILE",
           "CSV, a row for each product: product, and a column for each resource with what one unit needs of it"},
          {files, "demands", "FILE",
           "CSV of demands there were, where --products has none: a column for each product, a row for each period"},
          {generated, "product-count", "D", "how many products"},
          {generated, "resource-count", "M", "how many resources they share; usually 1"},
          {generated, "tightness", "T",
           "what there is of a resource, as a share of what the mean demands need; usually " +
               io::shortest_text(usual_tightness)},
          {generated, "instance-seed", "S", "names the random numbers of the instance; usually 1"}};
}

void refuse_generator(const OptionTable& options) {
  for (const char* name : {"resource-count", "tightness", "instance-seed"}) {
    options.refuse_unless(false, name, "--product-count");
  }
}

void check_source(const OptionTable& options) {
  const bool is_generated = options.has("product-count");
  for (const char* name : {"products", "resources", "amounts", "demands"}) {
    if (is_generated && options.has(name)) {
      throw std::invalid_argument(fmt::format("--product-count and --{} are given, expected one of them", name));
    }
  }
  if (!is_generated) refuse_generator(options);
  for (const char* name : {"products", "resources", "amounts"}) {
    if (!is_generated && !options.has(name)) {
      throw std::invalid_argument(
          fmt::format("--{} is not given: expected --products, --resources and --amounts, or --product-count", name));
    }
  }
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

  // With numbers that are in memory.
  NewsvendorProblem(models::NamedNewsvendor newsvendor, const OptionTable& options) {
    refuse_generator(options);
    newsvendor.newsvendor.products.check();
    newsvendor.newsvendor.resources.check(newsvendor.newsvendor.products.size());
    m_description.instance = io::Json::object();
    use(std::move(newsvendor));
    m_description.title = fmt::format("newsvendor of {} products", m_task.instance.products.size());
    finish();
  }

  const ProblemDescription& description() const override { return m_description; }

  FrankWolfeOptions usual_options() const override { return usual_options_of_samples(m_description.dimension); }

  std::vector<double> start() const override {
    return std::vector<double>(static_cast<std::size_t>(m_description.dimension));
  }

  OptimizationOutcome run(const Backend& backend, const OptimizationRun& run) const override {
    return backend.optimize(m_task, run);
  }

  Findings findings(const OptimizationOutcome& outcome) const override {
    return {outcome.exact_objective, outcome.optimum, {}, uses_of(outcome.result.solution)};
  }

 private:
  void use_generated(const OptionTable& options);
  void use_files(const OptionTable& options);
  void use(models::NamedNewsvendor newsvendor);
  void finish();
  std::vector<double> demand_numbers() const;
  std::vector<ResourceUse> uses_of(const std::vector<double>& x) const;

  NewsvendorTask m_task;
  ProblemDescription m_description;
  std::vector<std::string> m_resource_names;
};

void NewsvendorProblem::use_generated(const OptionTable& options) {
  const auto products = options.whole("product-count", 0, 1, most_coordinates);
  const auto resources = options.whole("resource-count", 1, 1, most_amounts / products);
  const auto seed = options.seed("instance-seed", 1);
  const double tightness = options.positive("tightness", usual_tightness);
  m_task.instance = models::generated_newsvendor(seed, products, resources, tightness);
  for (std::int64_t i = 0; i < resources; ++i) m_resource_names.push_back(fmt::format("resource {}", i + 1));
  m_description.title = fmt::format("newsvendor of {} products, instance {} of those of paper 004", products, seed);
  m_description.instance = {
      {"products", products}, {"resources", resources}, {"tightness", tightness}, {"instance_seed", seed}};
}

void NewsvendorProblem::use_files(const OptionTable& options) {
  const std::string products = *options.text("products"), resources = *options.text("resources"),
                    amounts = *options.text("amounts"), demands = options.text("demands").value_or("");
  use(models::read_newsvendor(products, resources, amounts, demands));
  m_description.title = fmt::format("newsvendor of {} products in {}", m_description.names.size(), products);
  m_description.instance = {{"products", products},
                            {"resources", resources},
                            {"amounts", amounts},
                            {"demands", demands.empty() ? io::Json(nullptr) : io::Json(demands)}};
}

void NewsvendorProblem::use(models::NamedNewsvendor newsvendor) {
  m_task.instance = std::move(newsvendor.newsvendor);
  m_resource_names = std::move(newsvendor.resource_names);
  m_description.names = std::move(newsvendor.product_names);
}

// What is the same wherever the numbers come from.
void NewsvendorProblem::finish() {
  const auto& [products, resources] = m_task.instance;
  m_description.name = "newsvendor";
  m_description.region = fmt::format("quantities of at least 0 that keep to {} resource{}", resources.size(),
                                     resources.size() == 1 ? "" : "s");
  m_description.variable = "product";
  m_description.quantity = "quantity";
  m_description.dimension = products.size();
  m_description.is_sampled = true;
  m_description.digest = digest_of_numbers(products.cost) + 3 * digest_of_numbers(products.holding) +
                         5 * digest_of_numbers(products.price) + 7 * digest_of_numbers(demand_numbers()) +
                         9 * digest_of_numbers(resources.capacity) + 11 * digest_of_numbers(resources.amounts);
}

std::vector<double> NewsvendorProblem::demand_numbers() const {
  std::vector<double> numbers;
  for (const auto& demand : m_task.instance.products.demand) {
    numbers.push_back(static_cast<double>(demand.kind));
    numbers.insert(numbers.end(), demand.parameters.begin(), demand.parameters.end());
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
    uses.push_back({m_resource_names[i], use, resources.capacity[i]});
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
  return {"newsvendor", "newsvendor of many products that share resources: minimizes the expected cost of its orders",
          "A unit of a product costs cost when it is ordered, holding when it is left over (below 0 where scrap has a "
          "value) and\nprice when it is missing. The gap of discrete demands, such as poisson, need not shrink "
          "to 0.",
          newsvendor_options, make_newsvendor};
}

}  // namespace sporos::apps
