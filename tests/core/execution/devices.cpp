// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/refusal.hpp>

#include <sporos/core/execution/check_launches.hpp>
#include <sporos/core/execution/devices.hpp>
#include <sporos/core/execution/initialize.hpp>

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace devices_tests {

using namespace sporos;

// Message of the std::runtime_error for these GPUs, or "none".
std::string fault_of(const GpuRuntime& gpus) {
  try {
    impl::check_gpus(gpus, {});
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "none";
}

const std::string expected =
    ": use a machine with a GPU, or a build on a Kokkos without CUDA, which runs on the processor";

TEST(Gpus, ThatAreThereAreTaken) {
  EXPECT_EQ(fault_of({{13000}, {13000}, 1, "", nullptr}), "none");
  EXPECT_EQ(fault_of({{13020}, {13000}, 2, "", nullptr}), "none");
  EXPECT_EQ(fault_of({{12020}, {12080}, 2, "", nullptr}), "none");  // CUDA's minor versions are compatible
}

TEST(Gpus, ThatAreNotThereAreMissed) {
  EXPECT_EQ(fault_of({{0}, {13000}, 0, "", nullptr}),
            "CUDA finds no NVIDIA GPU on this machine, and no NVIDIA driver" + expected);
  EXPECT_EQ(fault_of({{13000}, {13000}, 0, "", nullptr}), "CUDA finds no NVIDIA GPU on this machine" + expected);
  EXPECT_EQ(fault_of({{13000}, {13000}, 0, "", "7"}),
            "CUDA finds no NVIDIA GPU on this machine (CUDA_VISIBLE_DEVICES is '7')" + expected);
}

TEST(Gpus, WithAnOldDriverAreRefused) {
  EXPECT_EQ(fault_of({{12020}, {13000}, 0, "", nullptr}),
            "the NVIDIA driver supports CUDA up to 12.2, but this program is built with CUDA 13.0: install a newer "
            "driver, or build with an older CUDA");
}

TEST(Gpus, ThatCudaCannotUseAreRefusedWithItsReason) {
  EXPECT_EQ(fault_of({{13000}, {13000}, 0, "system not yet initialized (cudaErrorSystemNotReady)", nullptr}),
            "CUDA cannot be used: system not yet initialized (cudaErrorSystemNotReady)");
}

TEST(Device, IsOneThatIsThere) {
  const GpuRuntime one{{13000}, {13000}, 1, "", nullptr}, two{{13000}, {13000}, 2, "", nullptr};
  const auto refusal = [](const GpuRuntime& gpus, int device) {
    return test::refusal([&] { impl::check_gpus(gpus, device); });
  };
  EXPECT_EQ(refusal(one, 0), "none");
  EXPECT_EQ(refusal(two, 1), "none");
  EXPECT_EQ(refusal(two, 3), "device is 3, expected 0 to 1");
  EXPECT_EQ(refusal(two, 2), "device is 2, expected 0 to 1");
  EXPECT_EQ(refusal(two, -1), "device is -1, expected 0 to 1");
  EXPECT_EQ(refusal(one, 1), "device is 1, expected 0, the only GPU that CUDA finds");
}

TEST(Device, OfABuildWithoutGpusIsRefused) {
  if (has_gpu_backend) GTEST_SKIP() << "this build has a GPU backend";
  EXPECT_EQ(test::refusal([] {
              quiet_kokkos_settings({{}, 0});
            }),
            "device is 0, but Kokkos is built without CUDA: omit the device");
  EXPECT_EQ(test::refusal([] { quiet_kokkos_settings({2, {}}); }), "none");
  EXPECT_TRUE(gpu_devices().empty());
}

#ifdef KOKKOS_ENABLE_CUDA

TEST(Device, BeyondTheLastIsRefused) {
  const auto devices = gpu_devices();
  ASSERT_FALSE(devices.empty());
  for (const auto& device : devices) EXPECT_EQ(device.fault, std::nullopt);
  const int count = static_cast<int>(devices.size());
  EXPECT_EQ(test::refusal([&] { check_device(count); }).substr(0, 9), "device is");
  EXPECT_EQ(test::refusal([&] { check_device(count - 1); }), "none");
}

TEST(Launches, ThatAreRefusedAreToldOnce) {
  EXPECT_NO_THROW(check_launches<Kokkos::Cuda>());
  constexpr int too_many_threads = 4096;
  impl::empty_kernel<void><<<1, too_many_threads>>>();
  EXPECT_THROW(check_launches<Kokkos::Cuda>(), std::runtime_error);
  EXPECT_NO_THROW(check_launches<Kokkos::Cuda>());
}

#endif

}  // namespace devices_tests
